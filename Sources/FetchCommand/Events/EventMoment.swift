import Glibc

/// When something happened, by two clocks.
struct EventMoment: Sendable {
    /// The time of day, since 1970, which somebody may set.
    let wall: Int64
    /// CLOCK_MONOTONIC, which nobody sets, and which is the same for all processes of a machine.
    let monotonic: Int64

    static var now: EventMoment {
        EventMoment(wall: read(CLOCK_REALTIME), monotonic: read(CLOCK_MONOTONIC))
    }

    /// Universal time as [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6) has it,
    /// with six digits of a second, so that texts sort as times do.
    var timestamp: String {
        var seconds = time_t(wall / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(date)T\(time).\(String(1_000_000 + wall % 1_000_000).dropFirst())Z"
    }

    private func two(_ number: CInt) -> Substring {
        String(100 + number).dropFirst()
    }

    /// Microseconds.
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

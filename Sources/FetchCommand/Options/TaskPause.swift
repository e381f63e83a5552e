/// What is waited between tasks: `--wait`, `--random-wait`, `--rate`.
struct TaskPause: Equatable, Sendable {
    /// From the end of one to the beginning of the next.
    var length: Duration = .zero
    /// Whether that is half to one and a half times as long.
    var isRandom = false
    /// From the beginning of one to that of the next.
    var interval: Duration = .zero

    var isNone: Bool { length == .zero && interval == .zero }

    /// The wait before the next task.
    ///
    /// - Parameter sinceBegin: the time since the last one has begun.
    /// - Returns: the wait; may be below zero.
    func wait(sinceBegin: Duration) -> Duration {
        let wait = isRandom ? length * Double.random(in: 0.5...1.5) : length
        return max(wait, interval - sinceBegin)
    }

    /// Reads curl's `N/UNIT`, where UNIT may be `s`, `m`, `h` or `d`, or is left out.
    static func interval(_ value: FlagValue) throws(UsageError) -> Duration {
        let parts = value.text[...].split(atFirst: UInt8(ascii: "/"))
        let units: [String: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let count = Int64(parts?.before ?? value.text[...]), count > 0,
            let unit = units[parts.map { String($0.after) } ?? "h"]
        else { throw value.invalid("is no rate", hint: "write it as 2/s, 100/m or 3/h") }
        return .milliseconds(unit * 1_000 / count)
    }
}

import Glibc

/// What time it is, for the cache.
struct CacheClock: Sendable {
    /// Seconds since 1970.
    let now: @Sendable () -> Double

    /// The system's.
    static let system = CacheClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

import FoundationEssentials

/// What time it is, for the cache.
struct CacheClock: Sendable {
    /// Seconds since 1970.
    let now: @Sendable () -> Double

    /// The system's.
    static let system = CacheClock { Date().timeIntervalSince1970 }
}

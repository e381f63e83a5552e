import FoundationEssentials

/// The time of day, which somebody may set.
enum WallClock {
    /// Microseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }
}

import FoundationEssentials

extension HopMetrics {
    /// Where the response came from.
    package var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType {
        get { URLSessionTaskMetrics.ResourceFetchType(rawValue: fetchType) ?? .unknown }
        set { fetchType = newValue.rawValue }
    }
}

/// The wall clock, which the user may set.
enum WallClock {
    /// Microseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }
}

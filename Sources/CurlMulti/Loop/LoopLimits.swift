/// How many connections a loop may hold.
public struct LoopLimits: Sendable, Hashable {
    /// The connections to one host; further transfers wait, or share one over HTTP/2.
    public var connectionsPerHost: Int
    /// The connections kept open after their transfers have ended.
    public var idleConnections: Int
    /// Whether an HTTP/2 connection takes more than one request at once.
    public var multiplexes: Bool

    /// Sets them all.
    public init(
        connectionsPerHost: Int = 6,
        idleConnections: Int = 32,
        multiplexes: Bool = true
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.idleConnections = idleConnections
        self.multiplexes = multiplexes
    }
}

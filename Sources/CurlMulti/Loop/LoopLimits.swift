/// How many connections a loop may hold.
public struct LoopLimits: Sendable, Hashable {
    /// The connections to one host; further transfers wait, or share one over HTTP/2.
    public var connectionsPerHost: Int
    /// The connections kept open after their transfers have ended.
    public var idleConnections: Int

    /// Sets both.
    public init(connectionsPerHost: Int = 6, idleConnections: Int = 32) {
        self.connectionsPerHost = connectionsPerHost
        self.idleConnections = idleConnections
    }
}

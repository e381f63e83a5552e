// Sessions and tasks are equal only if they are identical, as with Foundation.
extension URLSession: Hashable {
    /// Whether both are the same session.
    public static func == (one: URLSession, other: URLSession) -> Bool {
        one === other
    }

    /// Hashes the session's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension URLSessionTask: Hashable {
    /// Whether both are the same task.
    public static func == (one: URLSessionTask, other: URLSessionTask) -> Bool {
        one === other
    }

    /// Hashes the task's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The decisions of a session's delegates about its connections, by origin.
struct ConnectionDecisions {
    /// The client certificates: without them, each connection would need a challenge and a failed handshake.
    var identities: [Origin: HopIdentity] = [:]
    /// The last decision about each server.
    ///
    /// Only connections for parts of a download use it, and only if the server presents the same trust.
    var trust: [Origin: (trust: ServerTrust, decision: TrustDecision)] = [:]
    /// The servers that a delegate accepted although the verification failed.
    var acceptedDespiteVerdict: Set<Origin> = []
}

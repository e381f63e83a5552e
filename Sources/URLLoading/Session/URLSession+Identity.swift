import Synchronization

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

/// The client certificates that delegates chose, by origin.
///
/// Kept for the session: otherwise each connection would need a challenge and a failed handshake.
final class ClientIdentities: Sendable {
    private let identities = Mutex<[Origin: HopIdentity]>([:])

    func forgetAll() {
        identities.withLock { $0 = [:] }
    }

    subscript(_ origin: Origin) -> HopIdentity? {
        get { identities.withLock { $0[origin] } }
        set { identities.withLock { $0[origin] = newValue } }
    }
}

/// The last decision about each server of a session, by origin.
///
/// Only connections for parts of a download use them, and only if the server presents the same trust.
final class TrustDispositions: Sendable {
    private let dispositions = Mutex<[Origin: (trust: ServerTrust, disposition: TrustDecision)]>(
        [:])

    /// The last decision about this trust at this origin.
    subscript(origin: Origin, trust: ServerTrust) -> TrustDecision? {
        dispositions.withLock { dispositions in
            dispositions[origin].flatMap { $0.trust == trust ? $0.disposition : nil }
        }
    }

    func forgetAll() {
        dispositions.withLock { $0 = [:] }
    }

    func note(_ disposition: TrustDecision, about trust: ServerTrust, at origin: Origin) {
        dispositions.withLock { $0[origin] = (trust, disposition) }
    }
}

import Synchronization

// Sessions and tasks are compared by identity, as with Foundation.
extension URLSession: Hashable {
    /// Whether both are one session.
    public static func == (one: URLSession, other: URLSession) -> Bool {
        one === other
    }

    /// Hashes which session it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension URLSessionTask: Hashable {
    /// Whether both are one task.
    public static func == (one: URLSessionTask, other: URLSessionTask) -> Bool {
        one === other
    }

    /// Hashes which task it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The responses to servers that wanted a client certificate, kept for the session: each connection
/// would else cost a question, and a handshake that comes to nothing.
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

/// The last decisions about the servers of a session, by origin.
///
/// Only connections for parts of a download use them: those to a server that has shown just the
/// same to the delegate.
final class TrustDispositions: Sendable {
    private let dispositions = Mutex<[Origin: (trust: ServerTrust, disposition: TrustDisposition)]>(
        [:])

    /// The decision about this, if it was the last that was asked about there.
    subscript(origin: Origin, trust: ServerTrust) -> TrustDisposition? {
        dispositions.withLock { dispositions in
            dispositions[origin].flatMap { $0.trust == trust ? $0.disposition : nil }
        }
    }

    func forgetAll() {
        dispositions.withLock { $0 = [:] }
    }

    func note(_ disposition: TrustDisposition, about trust: ServerTrust, at origin: Origin) {
        dispositions.withLock { $0[origin] = (trust, disposition) }
    }
}

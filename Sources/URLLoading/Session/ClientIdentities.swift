import Synchronization

/// The answers to servers that wanted a client certificate, kept for the session: each connection
/// would else cost a question, and a handshake that comes to nothing.
final class ClientIdentities: Sendable {
    private let answers = Mutex<[Origin: HopIdentity]>([:])

    func forgetAll() {
        answers.withLock { $0 = [:] }
    }

    subscript(_ origin: Origin) -> HopIdentity? {
        get { answers.withLock { $0[origin] } }
        set { answers.withLock { $0[origin] = newValue } }
    }
}

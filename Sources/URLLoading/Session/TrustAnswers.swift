import Synchronization

/// What was answered last about the servers of a session, by origin.
///
/// Only connections for parts of a download are answered by it: those of a server that has shown
/// just the same to the delegate.
final class TrustAnswers: Sendable {
    private let answers = Mutex<[Origin: (trust: ServerTrust, answer: TrustDisposition)]>([:])

    /// The answer about this, if it was the last that was asked about there.
    subscript(origin: Origin, trust: ServerTrust) -> TrustDisposition? {
        answers.withLock { answers in
            answers[origin].flatMap { $0.trust == trust ? $0.answer : nil }
        }
    }

    func forgetAll() {
        answers.withLock { $0 = [:] }
    }

    func note(_ answer: TrustDisposition, about trust: ServerTrust, at origin: Origin) {
        answers.withLock { $0[origin] = (trust, answer) }
    }
}

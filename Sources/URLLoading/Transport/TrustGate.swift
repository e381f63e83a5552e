import Synchronization

/// What a task answers about a server, on its way to the transport's thread.
final class TrustGate: Sendable {
    private struct Answered {
        var trust: ServerTrust
        var answer: TrustAnswer
    }

    private let answered = Mutex<Answered?>(nil)

    func set(_ answer: TrustAnswer, about trust: ServerTrust) {
        answered.withLock { $0 = Answered(trust: trust, answer: answer) }
    }

    /// The answer, if it is about just this.
    func answer(about trust: ServerTrust) -> TrustAnswer? {
        answered.withLock { $0?.trust == trust ? $0?.answer : nil }
    }
}

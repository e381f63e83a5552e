import Synchronization

/// What the thread of a hop and its task, on any, have in common of the hop's answer.
final class AnswerControl: Sendable {
    let gate = BodyGate()
    let window = DeliveryWindow()
    /// Whether nobody wants the answer any more, also where it has come and waits to be handed on.
    let isCancelled = Atomic(false)
    let temporaryFolder: String

    init(temporaryFolder: String) {
        self.temporaryFolder = temporaryFolder
    }
}

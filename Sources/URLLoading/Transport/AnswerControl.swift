/// What the thread of a hop and its task, on any, have in common of the hop's answer.
final class AnswerControl: Sendable {
    let gate = BodyGate()
    let window = DeliveryWindow()
    let temporaryFolder: String

    init(temporaryFolder: String) {
        self.temporaryFolder = temporaryFolder
    }
}

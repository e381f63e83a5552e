import CurlMulti
import Synchronization

/// A hop on a loop: what its handler, on the loop's thread, and its task, on any, have in common.
final class CurlHop: RunningHop {
    let answer: AnswerControl
    let trustGate = TrustGate()
    private let loop: TransferLoop
    private let transfer: TransferID

    init(_ loop: TransferLoop, _ transfer: TransferID, temporaryFolder: String) {
        self.loop = loop
        self.transfer = transfer
        answer = AnswerControl(temporaryFolder: temporaryFolder)
    }

    func decide(_ disposition: BodyDisposition) {
        answer.gate.set(disposition)
        loop.wake(transfer)
    }

    func decide(_ answer: TrustAnswer, about trust: ServerTrust) {
        trustGate.set(answer, about: trust)
        loop.wake(transfer)
    }

    func consumed(_ bytes: Int) {
        if answer.window.consume(bytes) { loop.wake(transfer) }
    }

    func suspend() {
        loop.suspend(transfer)
    }

    func resume() {
        loop.resume(transfer)
    }

    func cancel() {
        answer.isCancelled.store(true, ordering: .releasing)
        loop.cancel(transfer)
        // A transfer that has ended can only be told by waking.
        loop.wake(transfer)
    }

    /// Has its handler called once others have had their turn.
    func wake() {
        loop.wake(transfer)
    }

    func setPriority(_ priority: Float) {
        loop.setWeight(transfer, to: Self.streamWeight(priority))
    }

    /// A task's priority, 0 to 1, as a weight of HTTP/2's, 1 to 256
    /// ([RFC 7540 §5.3.2](https://www.rfc-editor.org/rfc/rfc7540#section-5.3.2)).
    static func streamWeight(_ priority: Float) -> Int {
        1 + Int((priority * 255).rounded())
    }
}

import Dispatch

/// A hop that is answered without the network, on a queue of its own.
final class LocalHop: RunningHop {
    private let control: AnswerControl
    private let queue = DispatchQueue(label: "URLSession.LocalHop")
    // Unchecked: used on `queue` and nowhere else.
    nonisolated(unsafe) private let run: LocalRun

    /// Starts it; its client hears of it as a ``Transport`` would tell it.
    ///
    /// - Parameters:
    ///   - source: what answers.
    ///   - handling: what is known of the answer's use.
    ///   - id: what the client knows it by.
    ///   - client: who is told.
    ///   - temporaryFolder: where a body may be written.
    ///   - timeLimit: how long it may take, without the time that it is held.
    init(
        _ source: any AnswerSource,
        _ handling: AnswerHandling,
        id: HopID,
        client: any HopClient,
        temporaryFolder: String,
        timeLimit: Duration?
    ) {
        control = AnswerControl(temporaryFolder: temporaryFolder)
        run = LocalRun(
            source,
            handling,
            id: id,
            client: client,
            control: control,
            queue: queue,
            timeLimit: timeLimit
        )
        queue.async { [self] in run.start { [weak self] in self?.goOn() } }
    }

    private func goOn() {
        queue.async { [self] in run.advance() }
    }

    func decide(_ disposition: BodyDisposition) {
        control.gate.set(disposition)
        goOn()
    }

    func consumed(_ bytes: Int) {
        if control.window.consume(bytes) { goOn() }
    }

    func suspend() {
        queue.async { [self] in run.suspend() }
    }

    func resume() {
        queue.async { [self] in run.resume() }
    }

    func cancel() {
        queue.async { [self] in run.cancel() }
    }

    func decide(_ answer: TrustAnswer, about trust: ServerTrust) {}

    func setPriority(_ priority: Float) {}
}

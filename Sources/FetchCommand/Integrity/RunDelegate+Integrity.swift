import FoundationEssentials
import URLLoading

// Digests of bodies.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    ) { printer.event(.didCheckDigest(task, finding)) }

    /// Sets the task's expected digest once the response is known.
    func expect(_ run: TaskRun, of task: URLSessionTask) {
        task.expectedDigest = run.get { $0.attempt.isCompared ? $0.expected : nil }
    }

    /// Compares the digest of the written body, once it is complete.
    func compareDigest(_ run: TaskRun, _ task: URLSessionTask) {
        guard run.get({ $0.naming.file == nil && $0.isProvable }),
            let finding = run.get(\.output.proof)?.finish()
        else { return }
        printer.event(.didCheckDigest(task, finding))
        if case .differs(let mismatch) = finding { run.note(.error(URLError(mismatch))) }
    }
}

import FoundationEssentials
import URLLoading

// What bodies come to.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    ) {
        printer.event(.didCheckDigest(task, finding))
    }

    /// Says what a file must come to, now that it is known what the response is.
    func expect(_ run: TaskRun, of task: URLSessionTask) {
        task.expectedDigest = run.get { $0.attempt.isCompared ? $0.expected : nil }
    }

    /// Looks at what was written, now that it is whole.
    func prove(_ run: TaskRun, _ task: URLSessionTask) {
        guard run.get({ $0.naming.file == nil && $0.isProvable }),
            let finding = run.get(\.output.proof)?.finish()
        else { return }
        printer.event(.didCheckDigest(task, finding))
        if case .differs(let mismatch) = finding { run.note(.error(URLError(mismatch))) }
    }
}

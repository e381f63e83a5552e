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

    /// Says what a file must come to, now that it is known what the answer is.
    func expect(_ run: TaskRun, of task: URLSessionTask) {
        task.expectedDigest = run.get(\.isCompared) ? run.get(\.expected) : nil
    }

    /// Looks at what was written, now that it is whole.
    func prove(_ run: TaskRun, _ task: URLSessionTask) {
        guard run.get(\.file) == nil, run.get(\.isCompared), run.get(\.failure) == nil,
            !run.get(\.isShort),
            let finding = run.get(\.proof)?.finish()
        else { return }
        printer.event(.didCheckDigest(task, finding))
        if case .differs(let mismatch) = finding { run.note(.answer(URLError(mismatch))) }
    }
}

import FoundationEssentials
import URLLoading

// Heads that are wanted where bodies go: with `--head` and `--include`.
extension RunDelegate {
    /// Keeps the head of a redirect for when the task has come to its end: a try that begins again
    /// must not have written it.
    func keepHead(of response: HTTPURLResponse, _ run: TaskRun) {
        guard wantsHeads(run), run.plan.kind.file == nil, run.plan.kind.headFile == nil else {
            return
        }
        let text = HeadText.lines(response)
        run.change { $0.redirectHeads += text }
    }

    /// Writes the head of the final answer, and before it those of redirects.
    ///
    /// Throws what keeps a file from being made.
    func writeHeads(
        _ response: URLResponse,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) throws(URLError) {
        guard wantsHeads(run), let response = response as? HTTPURLResponse else { return }
        let text = Data((run.get(\.redirectHeads) + HeadText.lines(response)).utf8)
        run.change { $0.redirectHeads = "" }
        guard let file = run.plan.kind.headFile else { return write(head: text, task, run) }
        try names.makeFolder(of: file)
        note(try file.write(text, besides: streams), of: file.path, run)
        run.note(bytes: Int64(text.count))
    }

    /// Writes the head of an answer whose body is dropped, where heads go with bodies.
    func writeHeads(ofRefused response: URLResponse, _ task: URLSessionTask, _ run: TaskRun) {
        guard answers.includesHead, run.plan.kind.file == nil,
            run.get(\.decision)?.isRetry != true
        else { return }
        do throws(URLError) {
            try run.openOutput(expecting: -1)
            try writeHeads(response, task, run)
        } catch {
            run.note(.file(error))
        }
    }

    /// Whether the head of an error is the result, too: what a file holds it keeps.
    func showsErrorHead(_ run: TaskRun) -> Bool {
        if case .head = run.plan.kind { run.plan.kind.headFile == nil } else { false }
    }

    private func wantsHeads(_ run: TaskRun) -> Bool {
        if case .head = run.plan.kind { true } else { answers.includesHead }
    }
}

extension TaskKind {
    /// The file that a head goes to, if it is the result and goes to one.
    fileprivate var headFile: FileDestination? {
        if case .head(to: .file(let file)) = self { file } else { nil }
    }
}

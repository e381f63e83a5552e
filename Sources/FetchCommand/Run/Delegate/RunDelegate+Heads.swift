import Dispatch
import FoundationEssentials
import URLLoading

// Heads that are written to the body's output: `--head` and `--include`.
extension RunDelegate {
    /// Buffers a redirect's head until the final response, because the attempt may begin again.
    func keepHead(of response: HTTPURLResponse, _ run: TaskRun) {
        guard wantsHeads(run), run.plan.kind.file == nil, run.plan.kind.headFile == nil else {
            return
        }
        let text = HeadText.lines(response)
        run.change { $0.output.redirectHeads += text }
    }

    /// Writes the heads of redirects and of the final response; throws if a file cannot be created.
    func writeHeads(
        _ response: URLResponse,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) throws(URLError) {
        guard wantsHeads(run), let response = response as? HTTPURLResponse else { return }
        let before = run.change { life in
            defer { life.output.redirectHeads = "" }
            return life.output.redirectHeads
        }
        let text = Data((before + HeadText.lines(response)).utf8)
        guard let file = run.plan.kind.headFile else { return write(head: text, task, run) }
        try names.makeFolder(of: file)
        note(try file.write(text, besides: streams), of: file.path, task, run)
        run.change { $0.bytes += Int64(text.count) }
    }

    /// Writes the head of a response whose body is discarded, if heads are written with bodies.
    func writeHeads(ofRefused response: URLResponse, _ task: URLSessionTask, _ run: TaskRun) {
        guard responses.includesHead, run.plan.kind.file == nil,
            run.get(\.attempt.decision)?.isRetry != true
        else { return }
        do throws(URLError) {
            try run.openOutput(expecting: -1, device)
            try writeHeads(response, task, run)
        } catch {
            run.note(error)
        }
    }

    /// Whether heads are written to the body's output.
    func wantsHeads(_ run: TaskRun) -> Bool { run.plan.kind.isHead || responses.includesHead }
}

extension TaskKind {
    /// The file for a head that is the task's result; `nil` for other tasks.
    fileprivate var headFile: FileDestination? { isHead ? destination.file : nil }
}

// Excerpts from the bodies of errors.
extension RunDelegate {
    /// Begins to read an error's body for an excerpt, if it is readable text and not saved.
    func begins(
        excerptOf response: URLResponse,
        _ task: URLSessionDataTask,
        _ run: TaskRun
    ) -> Bool {
        guard printer.verbosity != .quiet,
            run.change({ $0.beginsExcerpt(of: response, sendsBody: run.plan.body.isSent) })
        else { return false }
        // A slow server must not delay the error message.
        let limit = DispatchTime.now() + .milliseconds(Int(ErrorExcerpt.timeout / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: limit) { [weak task] in task?.cancel() }
        return true
    }
}

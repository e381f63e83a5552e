import Dispatch
import FoundationEssentials
import URLLoading

// Bodies of errors of which the beginning is shown.
extension RunDelegate {
    /// Begins to read an error's body, where that is worth to be shown: of what goes to no file, in
    /// words.
    ///
    /// - Parameters:
    ///   - response: the answer, whose body is dropped otherwise.
    ///   - task: its task.
    ///   - run: the task's.
    /// - Returns: whether it is read.
    func begins(
        excerptOf response: URLResponse,
        _ task: URLSessionDataTask,
        _ run: TaskRun
    ) -> Bool {
        guard let status = run.get(\.status), status >= 400, printer.verbosity != .quiet,
            run.get(\.decision)?.isRetry != true, run.plan.kind.showsExcerpts,
            response.expectedContentLength != 0
        else { return false }
        guard ErrorExcerpt.isReadable(response) else {
            // Who sends something wants to know at least how the answer can be had.
            if run.plan.body.isSent { run.change { $0.excerpt = ErrorExcerpt() } }
            return false
        }
        run.change { $0.excerpt = ErrorExcerpt() }
        // A server that does not send it must not hold up what is known already.
        let limit =
            DispatchTime.now()
            + .milliseconds(
                Int(ErrorExcerpt.patience / .milliseconds(1))
            )
        DispatchQueue.global().asyncAfter(deadline: limit) { [weak task] in task?.cancel() }
        return true
    }

    /// Takes the next bytes of it.
    func add(_ data: Data, toExcerptOf run: TaskRun, _ task: URLSessionDataTask) {
        var hasRoom = true
        run.change { hasRoom = $0.excerpt?.take(data) ?? false }
        if !hasRoom { task.cancel() }
    }
}

extension TaskKind {
    /// Whether the beginning of an error's body is shown: where the answer is read and not kept.
    fileprivate var showsExcerpts: Bool {
        switch self {
        case .data: true
        case .upload(let destination): destination == .standardOutput
        case .download, .auto, .head: false
        }
    }
}

extension Printer {
    /// The beginning of an error's body, and what shows the whole.
    ///
    /// - Parameter run: the task's.
    /// - Returns: the lines; `nil` where there is nothing to be said.
    func excerptHint(_ run: TaskRun) -> String? {
        guard verbosity != .quiet, let excerpt = run.get(\.excerpt) else { return nil }
        let lines = excerpt.lines
        guard !lines.isEmpty else { return "--content-on-error prints the body that came with it" }
        return (["the body of the error:"] + lines).joined(separator: "\n")
            + (lines.last == "  …" ? "\nfetch: --content-on-error prints all of it" : "")
    }
}

import URLLoading

// The end of a task, as in the foreground.
extension AttachDelegate {
    /// Reports how a task ended.
    func conclude(_ task: URLSessionTask, _ error: URLError?) -> TaskOutcome {
        let end = end(of: task, error)
        guard let run = run(task) else { return end }
        switch end {
        case .success: printer.ended(run, task.countOfBytesReceived)
        case .kept(let path, let reason): printer.kept(run, path, reason)
        case .notModified: printer.notModified(run)
        default: printer.failure(run, end, kept: error.flatMap { kept($0, run) })
        }
        return end
    }

    private func end(of task: URLSessionTask, _ error: URLError?) -> TaskOutcome {
        if let error { return error.isWholeTimeout ? .timeLimit(nil) : .error(error) }
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        guard status < 400 else { return .status(status) }
        // A download without a file found one, or the server's has not changed.
        guard task is URLSessionDownloadTask, let path = task.backgroundDestination,
            run(task)?.get(\.naming.saved) == nil
        else { return .success }
        if task.response == nil { return .kept(path: path, .found) }
        return status == 204 ? .success : .notModified
    }

    /// The error for a response that the command line refuses, as in the foreground.
    func refusal(_ task: URLSessionTask) -> URLError? {
        guard let response = task.response as? HTTPURLResponse, response.statusCode >= 400 else {
            return nil
        }
        return URLError(.cancelled, failingURL: response.url)
    }

    /// The part of a failed download, beside its file, or beside the file's name with a number.
    private func kept(_ error: URLError, _ run: TaskRun) -> ResumeData? {
        guard let kept = error.downloadTaskResumeData.flatMap({ try? ResumeData($0) }),
            case .partFile(let part) = kept.file
        else { return nil }
        let planned = run.plan.kind.possibleFile?.path
        if planned.map({ !FileDestination.partPath(of: $0).hasBytes(of: part) }) ?? true {
            let path = Substring(part.utf8.dropLast(".part".utf8.count))
            run.change { $0.naming.chosen = String(path) }
        }
        return kept
    }
}

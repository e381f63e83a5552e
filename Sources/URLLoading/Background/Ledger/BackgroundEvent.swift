/// What a program is told once, whatever happens to the processes in between.
enum BackgroundEvent: Codable, Hashable, Sendable {
    /// `urlSession(_:downloadTask:didFinishDownloadingTo:)`, or of an upload the body of its answer.
    case finished(task: Int, file: BackgroundFile, response: StoredResponse?)
    /// `urlSession(_:task:didCompleteWithError:)`; `nil`: it has succeeded. Before that, what it has cost
    /// (``StoredMetrics``), where that was gathered.
    case completed(
        task: Int,
        error: StoredError?,
        response: StoredResponse?,
        metrics: String? = nil
    )
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`, with what has come of the tasks since
    /// the last time.
    case allDone(tally: BackgroundTally)

    /// The task that it is about.
    var task: Int? {
        switch self {
        case .finished(let task, _, _), .completed(let task, _, _, _): task
        case .allDone: nil
        }
    }

    /// The file that it hands over.
    var file: BackgroundFile? {
        if case .finished(_, let file, _) = self { file } else { nil }
    }
}

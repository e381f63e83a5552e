import URLLoading

// Downloads in several streams.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didSplitInto streams: Int,
        limit: DownloadSplitLimit?
    ) {
        printer.event(.didSplit(downloadTask, streams, limit))
        // That a small file comes in one piece is no news to anybody.
        guard streams == 1, let limit, limit != .tooSmall, let run = run(downloadTask) else {
            return
        }
        printer.oneStream(run, "\(limit)")
    }
}

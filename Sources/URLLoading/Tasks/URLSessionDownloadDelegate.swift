public import FoundationEssentials

/// Reports and questions about download tasks.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// The body is complete, in this file.
    ///
    /// The session removes the file after this call, unless the delegate has moved or opened it.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - location: the file.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    )

    /// The task has written more of the body; at most every 100 ms, and once for the last piece.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - bytesWritten: the bytes since the last call.
    ///   - totalBytesWritten: the bytes in the file.
    ///   - totalBytesExpectedToWrite: the body's length; −1: unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// The response continues a partial file. Once, before the first `didWriteData`, whose counts
    /// include the part.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - fileOffset: the file offset of the response's first byte.
    ///   - expectedTotalBytes: the length of the complete file; −1: unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )

    /// A partial file could not be continued, and the download starts over. Not in Foundation.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - reason: why the partial file is unusable.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    )

    /// The download is split into this many streams, or into fewer than before. Not in Foundation.
    ///
    /// Called only where ``URLSessionConfiguration/TransportOptions/maximumStreamsPerDownload`` allows
    /// more than one: after the response's head, and whenever the number decreases.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - streams: the most streams from now on.
    ///   - limit: why there are not more; `nil` if the task uses the configured number.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didSplitInto streams: Int,
        limit: DownloadSplitLimit?
    )

    /// The head of the final response has arrived; asks for the body's destination. Not in Foundation.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - response: the response.
    ///   - completionHandler: takes the destination, or `nil` to cancel the task.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    )
}

extension URLSessionDownloadDelegate {
    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDownloadDelegate
        next?.urlSession(
            session,
            downloadTask: downloadTask,
            didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDownloadDelegate
        next?.urlSession(
            session,
            downloadTask: downloadTask,
            didResumeAtOffset: fileOffset,
            expectedTotalBytes: expectedTotalBytes
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDownloadDelegate
        next?.urlSession(session, downloadTask: downloadTask, didStartOver: reason)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didSplitInto streams: Int,
        limit: DownloadSplitLimit?
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDownloadDelegate
        next?.urlSession(session, downloadTask: downloadTask, didSplitInto: streams, limit: limit)
    }

    /// The session's delegate decides; without one the destination is a temporary file.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDownloadDelegate
        guard let next else { return completionHandler(.temporary) }
        next.urlSession(
            session,
            downloadTask: downloadTask,
            didReceive: response,
            completionHandler: completionHandler
        )
    }
}

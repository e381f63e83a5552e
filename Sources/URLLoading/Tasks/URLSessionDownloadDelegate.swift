public import FoundationEssentials

/// What is told, and asked, about download tasks.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// The body is whole, in this file. The file is gone after this returns, unless it was moved
    /// or opened.
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

    /// More of the body has been taken; at most every 100 ms, and once for the last.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - bytesWritten: those since the last call.
    ///   - totalBytesWritten: all of them.
    ///   - totalBytesExpectedToWrite: the body's length; −1 where it is not known.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// The head of the final answer has come; where shall the body go? Not in Foundation.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - downloadTask: the task.
    ///   - response: the answer.
    ///   - completionHandler: takes the destination, or `nil` to cancel the task.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    )
}

extension URLSessionDownloadDelegate {
    /// The session's delegate is told.
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

    /// The session's delegate decides; without one it is a temporary file.
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

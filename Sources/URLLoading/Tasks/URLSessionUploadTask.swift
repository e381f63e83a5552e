import Dispatch
public import FoundationEssentials

// Unchecked: adds no mutable state to URLSessionTask.
/// A data task that sends a request body first, as Foundation's `URLSessionUploadTask`.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    /// Cancels the task, without resume data; Foundation does the same where the server has no
    /// resumable uploads.
    ///
    /// - Parameter completionHandler: takes `nil`, on the delegate queue.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
    {
        session.queue.async { completionHandler(nil) }
        cancel()
    }

    /// Cancels the task, as ``cancel(byProducingResumeData:)``.
    @discardableResult
    public func cancelByProducingResumeData() async -> Data? {
        cancel()
        return nil
    }
}

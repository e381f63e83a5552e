import Dispatch
public import FoundationEssentials

// Unchecked: adds nothing that changes to URLSessionTask.
/// A data task that sends a body of its own first, as Foundation's `URLSessionUploadTask`.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    /// Cancels the task; there is no resume data, as with Foundation where the server has no resumable
    /// uploads.
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

// Unchecked: adds nothing that changes to URLSessionTask.
/// A data task that sends a body of its own first, as Foundation's `URLSessionUploadTask`.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

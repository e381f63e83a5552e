/// A task whose answer comes as data, as Foundation's `URLSessionDataTask`.
// Unchecked: adds nothing that changes to URLSessionTask.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A data task that sends a body of its own first, as Foundation's `URLSessionUploadTask`.
// Unchecked: adds nothing that changes to URLSessionTask.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

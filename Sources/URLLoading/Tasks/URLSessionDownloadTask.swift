// Unchecked: adds nothing that changes to URLSessionTask.
/// A task whose answer goes to a file, as Foundation's `URLSessionDownloadTask`.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

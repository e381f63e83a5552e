/// A task whose answer goes to a file, as Foundation's `URLSessionDownloadTask`.
// Unchecked: adds nothing that changes to URLSessionTask.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

// Unchecked: adds no mutable state to URLSessionTask.
/// A task that delivers its response as data, like Foundation's `URLSessionDataTask`.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

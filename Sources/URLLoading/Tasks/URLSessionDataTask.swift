// Unchecked: adds no mutable state to URLSessionTask.
/// A task whose response is delivered as data, as Foundation's `URLSessionDataTask`.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// Unchecked: adds nothing that changes to URLSessionTask.
/// A task whose answer comes as data, as Foundation's `URLSessionDataTask`.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

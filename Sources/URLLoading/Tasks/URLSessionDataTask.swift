// Unchecked: adds nothing that changes to URLSessionTask.
/// A task whose response comes as data, as Foundation's `URLSessionDataTask`.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

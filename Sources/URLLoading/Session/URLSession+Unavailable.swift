public import FoundationEssentials

// What Foundation's sessions do and these do not: refused where it is compiled, and not found out later.

// Unchecked, both: they have no state, and no code can make or name one. The bodies below are not reachable:
// the compiler refuses each call.
/// Web sockets, which this library does not speak.
@available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

/// Streams without HTTP, which this library does not have.
@available(*, unavailable, message: "URLLoading has no stream tasks: use a socket")
public final class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

extension URLSession {
    /// Web sockets are not spoken; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// Web sockets are not spoken; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// Web sockets are not spoken; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// There are no stream tasks.
    @available(*, unavailable, message: "URLLoading has no stream tasks: use a socket")
    public func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask {
        fatalError("unavailable")
    }
}

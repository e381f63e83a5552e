public import FoundationEssentials

// Features of Foundation that are missing here; the compiler refuses each use.

// Unchecked, both: they have no state, and no code can create them. The bodies below are unreachable,
// because the compiler refuses each call.
/// Web sockets, which this library does not support.
@available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

/// Streams without HTTP, which this library does not support.
@available(*, unavailable, message: "URLLoading has no stream tasks: use a socket")
public final class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

extension URLSession {
    /// Web sockets are not supported; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// Web sockets are not supported; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// Web sockets are not supported; a `ws:` or `wss:` URL fails a task with `unsupportedURL`.
    @available(*, unavailable, message: "URLLoading has no web sockets: use a library for these")
    public func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
        fatalError("unavailable")
    }

    /// Stream tasks are not supported.
    @available(*, unavailable, message: "URLLoading has no stream tasks: use a socket")
    public func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask {
        fatalError("unavailable")
    }
}

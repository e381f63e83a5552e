/// A response that does not come from the network: a stored response, a file, or a `URLProtocol`.
///
/// Used only on its hop's queue. No method may block for long.
protocol ResponseSource: AnyObject {
    /// The origin of the response, for the task's metrics.
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { get }

    /// Begins; called once, before any other method.
    ///
    /// - Parameter wake: requests further calls, from any thread, after ``SourceResponse/later`` or
    ///   ``SourceRead/later``.
    func start(wake: @escaping @Sendable () -> Void)

    /// The response's head; called until it is available.
    ///
    /// Throws the error that the hop ends with.
    func response() throws(URLError) -> SourceResponse

    /// The next bytes of the body, as many as fit; called after the head.
    ///
    /// Throws the error that the hop ends with.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead

    /// Ends the source after the hop's end, even if the body is incomplete; called once, as the last method.
    func stop()
}

extension ResponseSource {
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }

    func start(wake: @escaping @Sendable () -> Void) {}
}

enum SourceResponse: Sendable {
    case http(HopHead)
    /// A response of another protocol.
    case other(URLResponse)
    /// A redirect to another request; it has no body.
    case redirect(URLResponse, URLRequest)
    /// No head yet.
    case later
}

/// The result of reading from a source.
enum SourceRead: Sendable, Hashable {
    /// The number of bytes read, at least 1.
    case bytes(Int)
    case end
    /// No bytes yet.
    case later
}

/// Serves a stored response.
final class CachedResponseSource: ResponseSource {
    let fetchType = URLSessionTaskMetrics.ResourceFetchType.localCache
    private var reader: CacheReader

    init(_ reader: CacheReader) {
        self.reader = reader
    }

    func response() -> SourceResponse {
        .http(reader.head)
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        let count = try reader.read(into: space)
        return count == 0 ? .end : .bytes(count)
    }

    func stop() {}
}

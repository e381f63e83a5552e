import Dispatch

/// The source of a response without the network: a stored response, a file, a protocol of the
/// program's own.
///
/// Used on its hop's queue and nowhere else. None of its methods may wait for long.
protocol ResponseSource: AnyObject {
    /// What a task's metrics say of where the response came from.
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { get }

    /// Begins; called once, before anything else.
    ///
    /// - Parameter wake: has the hop ask again, from any thread, after ``SourceResponse/later`` or
    ///   ``SourceRead/later``.
    func start(wake: @escaping @Sendable () -> Void)

    /// The response's head, asked for until it is there.
    ///
    /// Throws what the hop shall fail with.
    func response() throws(URLError) -> SourceResponse

    /// The next bytes of the body, as many as fit, after the head.
    ///
    /// Throws what the hop shall fail with.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead

    /// The hop has ended, whether the body has or not; called once, last of all.
    func stop()
}

extension ResponseSource {
    /// Neither the network nor the cache.
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
}

enum SourceResponse: Sendable {
    /// As a server would.
    case http(HopHead)
    /// In another way.
    case other(URLResponse)
    /// Another request is to be loaded; such a response has no body.
    case redirect(URLResponse, URLRequest)
    /// Nothing yet.
    case later
}

/// What a source has of its response's body.
enum SourceRead: Sendable, Hashable {
    /// So many bytes were put into the space, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// Nothing yet.
    case later
}

/// A hop without the network, on a queue of its own.
final class LocalHop: RunningHop {
    private let control: ResponseControl
    private let queue = DispatchQueue(label: "URLSession.LocalHop")
    // Unsafe: used on `queue` and nowhere else.
    nonisolated(unsafe) private let run: LocalRun

    /// Starts it; its client is called as by a ``Transport``.
    ///
    /// - Parameters:
    ///   - source: the response's source.
    ///   - responseContext: what is known of the response's use.
    ///   - id: what the client knows it by.
    ///   - client: receives its reports.
    ///   - temporaryFolder: where a body may be written.
    ///   - timeLimit: how long it may take, without the time that it is suspended.
    init(
        _ source: any ResponseSource,
        _ responseContext: ResponseContext,
        id: HopID,
        client: any HopClient,
        temporaryFolder: String,
        timeLimit: Duration?
    ) {
        control = ResponseControl(temporaryFolder: temporaryFolder)
        run = LocalRun(
            source,
            responseContext,
            id: id,
            client: client,
            control: control,
            queue: queue,
            timeLimit: timeLimit
        )
        queue.async { [self] in run.start { [weak self] in self?.goOn() } }
    }

    private func goOn() {
        queue.async { [self] in run.advance() }
    }

    func decide(_ disposition: BodyDisposition) {
        control.gate.set(disposition)
        goOn()
    }

    func consumed(_ bytes: Int) {
        if control.window.consume(bytes) { goOn() }
    }

    func suspend() {
        queue.async { [self] in run.suspend() }
    }

    func resume() {
        queue.async { [self] in run.resume() }
    }

    func cancel() {
        queue.async { [self] in run.cancel() }
    }

    func decide(_ disposition: TrustDisposition, about trust: ServerTrust) {}

    func setPriority(_ priority: Float) {}
}

/// Serves a hop from the cache.
final class CachedResponseSource: ResponseSource {
    let fetchType = URLSessionTaskMetrics.ResourceFetchType.localCache
    private var reader: CacheReader

    init(_ reader: CacheReader) {
        self.reader = reader
    }

    func start(wake: @escaping @Sendable () -> Void) {}

    func response() -> SourceResponse {
        .http(reader.head)
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        let count = try reader.read(into: space)
        return count == 0 ? .end : .bytes(count)
    }

    func stop() {}
}

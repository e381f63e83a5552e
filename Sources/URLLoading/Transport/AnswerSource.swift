/// What answers a hop without the network: a stored answer, a file, a protocol of the program's own.
///
/// Used on its hop's queue and nowhere else. None of its methods may wait for long.
protocol AnswerSource: AnyObject {
    /// What a task's metrics say of where the answer came from.
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { get }

    /// Begins; called once, before anything else.
    ///
    /// - Parameter wake: has the hop ask again, from any thread, after ``SourceAnswer/later`` or
    ///   ``SourceRead/later``.
    func start(wake: @escaping @Sendable () -> Void)

    /// The answer's head, asked for until it is there.
    ///
    /// Throws what the hop shall fail with.
    func answer() throws(URLError) -> SourceAnswer

    /// The next bytes of the body, as many as fit, after the head.
    ///
    /// Throws what the hop shall fail with.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead

    /// The hop has ended, whether the body has or not; called once, last of all.
    func stop()
}

extension AnswerSource {
    /// Neither the network nor the cache.
    var fetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
}

/// What a source answers.
enum SourceAnswer: Sendable {
    /// As a server would.
    case http(HopHead)
    /// In another way.
    case other(URLResponse)
    /// That something else is to be loaded; what answered so has no body.
    case redirect(URLResponse, URLRequest)
    /// Nothing yet.
    case later
}

/// What a source has of its answer's body.
enum SourceRead: Sendable, Hashable {
    /// So many bytes were put into the space, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// Nothing yet.
    case later
}

import Synchronization

/// Answers a hop with what the cache has.
final class CachedAnswer: AnswerSource {
    let fetchType = URLSessionTaskMetrics.ResourceFetchType.localCache
    private let reader: Mutex<CacheReader>

    init(_ reader: CacheReader) {
        self.reader = Mutex(reader)
    }

    func start(wake: @escaping @Sendable () -> Void) {}

    func answer() -> SourceAnswer {
        .http(reader.withLock { $0.head })
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        let count = try reader.withLock { reader throws(URLError) in try reader.read(into: space) }
        return count == 0 ? .end : .bytes(count)
    }

    func stop() {}
}

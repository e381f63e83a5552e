/// Answers a hop with what the cache has.
final class CachedAnswer: AnswerSource {
    let fetchType = URLSessionTaskMetrics.ResourceFetchType.localCache
    private var reader: CacheReader

    init(_ reader: CacheReader) {
        self.reader = reader
    }

    func start(wake: @escaping @Sendable () -> Void) {}

    func answer() -> SourceAnswer {
        .http(reader.head)
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        let count = try reader.read(into: space)
        return count == 0 ? .end : .bytes(count)
    }

    func stop() {}
}

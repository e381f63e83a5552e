import FoundationEssentials

/// The body of a stored answer: it never changes, and stays whole as long as somebody holds it,
/// whatever becomes of its place in the cache.
protocol CacheBody: AnyObject, Sendable {
    /// In bytes.
    var length: Int64 { get }

    /// Reads a piece.
    ///
    /// - Parameters:
    ///   - space: where to.
    ///   - offset: from where.
    /// - Returns: how many bytes; 0 at the end.
    /// - Throws: where it cannot be read.
    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) -> Int

    /// All of it; on disk it is mapped.
    var data: Data { get }
}

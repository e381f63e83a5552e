import FoundationEssentials

/// A stored answer as it is served: its head, and its body piece by piece.
///
/// It holds what it reads from: neither this nor another process's making room in the cache takes
/// anything away from it.
struct CacheReader: Sendable {
    /// The head, with `Age`, and with `Content-Length` where the stored one had none.
    let head: HopHead
    /// Of the body, bytes; 0 for an answer to HEAD.
    let length: Int64
    private let body: any CacheBody
    private var offset: Int64 = 0

    init(head: HopHead, body: any CacheBody, isHead: Bool) {
        self.head = head
        self.body = body
        length = isHead ? 0 : body.length
    }

    /// Reads the next piece.
    ///
    /// - Parameter space: where to; 64 KiB and more serve best.
    /// - Returns: how many bytes; 0 at the end.
    /// - Throws: `networkConnectionLost` where the rest of a large body has become unreadable.
    mutating func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> Int {
        let left = length - offset
        guard left > 0, space.count > 0 else { return 0 }
        let wanted = min(Int(clamping: left), space.count)
        let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
        let count = try body.read(into: piece, at: offset)
        guard count > 0 else {
            throw URLError(.networkConnectionLost, detail: "the cached body is cut short")
        }
        offset += Int64(count)
        return count
    }
}

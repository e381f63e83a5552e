import FoundationEssentials

/// A stored response, with its body.
struct CacheEntry: Sendable {
    var storedHead: StoredHead
    let body: any CacheBody
    var userInfo: [String: any Sendable]?
    /// The place on disk; `nil`: in memory.
    var place: DiskPlace?

    /// Whether the body is intact; for a large body, this checks only the length.
    var isWhole: Bool { (body as? FileBody)?.isWhole ?? true }
}

/// The place of an entry on disk.
struct DiskPlace: Sendable, Hashable {
    /// The name of the entry's file.
    let name: DiskName
    /// The inode: a newer file with this name has another one.
    let inode: UInt64
    /// The record of the body.
    let body: DiskRecord.BodyRecord
}

/// The body of a stored response: immutable, and complete while it is referenced, even after eviction.
protocol CacheBody: AnyObject, Sendable {
    /// Bytes.
    var length: Int64 { get }

    /// Reads a piece at an offset; returns 0 at the end, and throws `networkConnectionLost` on failure.
    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) -> Int

    /// The whole body; mapped if it is on disk.
    var data: Data { get }
}

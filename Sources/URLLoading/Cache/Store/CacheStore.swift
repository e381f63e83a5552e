import FoundationEssentials

/// A store of responses.
protocol CacheStore: Sendable {
    /// The response that a request selects; `nil`: none.
    func lookUp(_ request: CacheRequest) -> CacheEntry?

    /// The first response that a request may select, after a session has added its fields.
    func find(_ request: CacheRequest) -> CacheEntry?

    /// Records the use of an entry, so that the cache evicts it later.
    func use(_ entry: CacheEntry)

    /// Replaces an entry's head.
    func update(_ entry: CacheEntry, to storedHead: StoredHead)

    /// Removes an entry.
    func remove(_ entry: CacheEntry)

    /// Removes all responses of a key.
    func remove(_ key: CacheKey)

    /// Removes all responses stored since a moment, in seconds since 1970; `nil`: all.
    func removeAll(since moment: Double?)

    /// The space used, bytes.
    var usage: Int { get }
}

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

import FoundationEssentials

/// A store of responses.
protocol CacheStore: Sendable {
    /// The response that a request selects; `nil`: none.
    func lookUp(_ request: CacheRequest) -> CacheEntry?

    /// The first response that a request may select, though it lacks fields that a session adds.
    func find(_ request: CacheRequest) -> CacheEntry?

    /// Records that an entry was used, so that it is evicted later.
    func use(_ entry: CacheEntry)

    /// Replaces an entry's head.
    func update(_ entry: CacheEntry, to storedHead: StoredHead)

    /// Removes an entry.
    func remove(_ entry: CacheEntry)

    /// Removes all that is stored under a key.
    func remove(_ key: CacheKey)

    /// Removes what was stored since a moment, in seconds since 1970; `nil`: everything.
    func removeAll(since moment: Double?)

    /// The space used, bytes.
    var usage: Int { get }
}

/// A stored response that was found, with its body.
struct CacheEntry: Sendable {
    var storedHead: StoredHead
    let body: any CacheBody
    var userInfo: [String: any Sendable]?
    /// Its place on disk; `nil`: it is in memory.
    var place: DiskPlace?

    /// Whether the body has its checksum; of a large one only the length is checked.
    var isWhole: Bool { (body as? FileBody)?.isWhole ?? true }
}

/// The place of an entry on disk.
struct DiskPlace: Sendable, Hashable {
    /// The name of its file.
    let name: DiskName
    /// The inode: a newer file of that name has another.
    let inode: UInt64
    /// Its body, by its record.
    let body: DiskRecord.BodyRecord
}

/// The body of a stored response: it never changes, and stays whole as long as it is referenced,
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

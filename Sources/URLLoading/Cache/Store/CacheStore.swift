import FoundationEssentials

/// Where responses are kept.
protocol CacheStore: Sendable {
    /// The response that a request selects; `nil`: none.
    func lookUp(_ request: CacheRequest) -> CacheEntry?

    /// The first response that a request may mean which has not all the fields that are sent.
    func find(_ request: CacheRequest) -> CacheEntry?

    /// Notes that an entry was of use: it goes later.
    func use(_ entry: CacheEntry)

    /// Replaces an entry's head.
    func update(_ entry: CacheEntry, to storedHead: StoredHead)

    /// Removes an entry.
    func remove(_ entry: CacheEntry)

    /// Removes all that is stored under a key.
    func remove(_ key: CacheKey)

    /// Removes what was stored since a moment, in seconds since 1970; `nil`: everything.
    func removeAll(since moment: Double?)

    /// What is taken, bytes.
    var usage: Int { get }
}

/// A stored response that was found, with what it takes to read it.
struct CacheEntry: Sendable {
    var storedHead: StoredHead
    let body: any CacheBody
    var userInfo: [String: any Sendable]?
    /// Where it lies; `nil`: in memory.
    var place: DiskPlace?

    /// Whether the body is what was stored; a large one is only known to have its length.
    var isWhole: Bool { (body as? FileBody)?.isWhole ?? true }
}

/// Where an entry lies on disk.
struct DiskPlace: Sendable, Hashable {
    /// The name of its file.
    let name: DiskName
    /// Which file of that name it is: a newer one is another.
    let inode: UInt64
    /// What its record says of its body.
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

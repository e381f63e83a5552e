/// Where answers are kept.
protocol CacheStore: Sendable {
    /// The answer that a request selects; `nil`: none.
    func lookUp(_ request: CacheRequest) -> CacheEntry?

    /// The first answer that a request may mean which has not all the fields that are sent.
    func find(_ request: CacheRequest) -> CacheEntry?

    /// Notes that an entry was of use: it goes later.
    func use(_ entry: CacheEntry)

    /// Replaces an entry's head.
    func update(_ entry: CacheEntry, to answer: StoredAnswer)

    /// Removes an entry.
    func remove(_ entry: CacheEntry)

    /// Removes all that is stored under a key.
    func remove(_ key: CacheKey)

    /// Removes what was stored since a moment, in seconds since 1970; `nil`: everything.
    func removeAll(since moment: Double?)

    /// What is taken, bytes.
    var usage: Int { get }
}

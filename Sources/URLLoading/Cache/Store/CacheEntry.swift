/// A stored answer that was found, with what it takes to read it.
struct CacheEntry: Sendable {
    var answer: StoredAnswer
    let body: any CacheBody
    var userInfo: [String: any Sendable]?
    /// Where it lies; `nil`: in memory.
    var place: DiskPlace?

    /// Whether the body is what was stored; a large one is only known to have its length.
    var isWhole: Bool { (body as? FileBody)?.isWhole ?? true }
}

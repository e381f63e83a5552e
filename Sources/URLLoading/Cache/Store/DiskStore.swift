import FoundationEssentials

/// Answers on disk.
final class DiskStore: CacheStore {
    init(_ folder: String?) {}
    func lookUp(_ request: CacheRequest) -> CacheEntry? { nil }
    func find(_ request: CacheRequest) -> CacheEntry? { nil }
    func use(_ entry: CacheEntry) {}
    func update(_ entry: CacheEntry, to answer: StoredAnswer) {}
    func remove(_ entry: CacheEntry) {}
    func remove(_ key: CacheKey) {}
    func removeAll(since moment: Double?) {}
    var usage: Int { 0 }
    func makeDraft(_ key: CacheKey) -> DraftFile? { nil }
    func store(
        _ answer: StoredAnswer,
        _ body: any CacheBody,
        _ file: DraftFile?,
        _ userInfo: [String: any Sendable]?,
        capacity: Int
    ) -> Bool { false }
}

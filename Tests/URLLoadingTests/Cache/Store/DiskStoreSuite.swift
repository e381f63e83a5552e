import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// A suite whose tests have their own store on disk.
protocol DiskStoreSuite {
    var folder: TestSupport.TemporaryFolder { get }
    var store: DiskStore { get }
}

extension DiskStoreSuite {
    static var small: [UInt8] { Array("hello".utf8) }
    static var large: [UInt8] { PseudoRandom.bytes(300_000, seed: 1) }

    /// Stores a body as a recording would.
    @discardableResult
    func put(
        _ body: [UInt8],
        _ lines: [String] = [],
        for request: CacheRequest,
        in store: DiskStore? = nil,
        capacity: Int = 64 << 20
    ) throws -> Bool {
        let store = store ?? self.store
        var draft = CacheDraft(limit: Int64(capacity)) { store.makeDraft(request.key) }
        body.withUnsafeBytes { draft.append($0) }
        let response = try stored(lines, to: request)
        let made = draft.makeBody()
        let recorded = try #require(made)
        return store.store(response, recorded, draft.file, nil, capacity: capacity)
    }

    func body(_ request: CacheRequest, in store: DiskStore? = nil) -> [UInt8]? {
        guard let entry = (store ?? self.store).lookUp(request), entry.isWhole else { return nil }
        return Array(entry.body.data)
    }

    /// All files below the cache's folder, as paths in it.
    func files() -> [String] {
        folder.walk("cache").sorted()
    }

    func cache(_ capacity: Int = 64 << 20) -> URLCache {
        URLCache(
            memoryCapacity: 0,
            diskCapacity: capacity,
            directory: URL(filePath: folder.path("cache"))
        )
    }
}

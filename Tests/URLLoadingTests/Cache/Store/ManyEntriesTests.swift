import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("A thousand responses", .timeLimit(.minutes(5)))
struct ManyEntriesTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func filled(_ name: String, _ count: Int) throws -> DiskStore {
        let store = DiskStore(folder.path(name))
        for index in 0..<count {
            let request = try asked(url: "http://h/\(index)")
            let body = MemoryBody(Data("entry \(index)".utf8))
            let isKept = store.store(try stored([], to: request), body, nil, nil, capacity: 1 << 30)
            try #require(isKept)
        }
        return store
    }

    @Test("C-01 a look-up among a thousand responses opens one file, and lists no folder")
    func lookUp() throws {
        let store = try filled("many", 1_000)
        let watch = try OpeningWatch(folder.path("many"))
        let requests = try (0..<100).map { try asked(url: "http://h/\($0)") }
        #expect(requests.allSatisfy { store.lookUp($0) != nil })
        let opened = try watch.opened()
        #expect(opened.files == 100)
        #expect(opened.folders == 0)
        store.account(0, 0)
        #expect(try watch.opened().folders > 0)
        #expect(store.usage == 0)
        #expect(store.lookUp(requests[0]) == nil)
    }
}

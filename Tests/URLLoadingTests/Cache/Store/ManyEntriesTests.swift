import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Ten thousand answers", .timeLimit(.minutes(5)))
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
            let isKept = store.store(
                try stored([], to: request),
                body,
                nil,
                nil,
                capacity: 1 << 30
            )
            try #require(isKept)
        }
        return store
    }

    /// The shortest time of several that a number of look-ups take.
    private func time(_ store: DiskStore, _ requests: [CacheRequest]) throws -> Duration {
        let clock = ContinuousClock()
        return try #require(
            (0..<20).map { _ in
                clock.measure { for request in requests { _ = store.lookUp(request) } }
            }.min()
        )
    }

    @Test("C-01 a look-up among ten thousand answers takes no longer than among a hundred")
    func lookUp() throws {
        let few = try filled("few", 100)
        let many = try filled("many", 10_000)
        let requests = try (0..<100).map { try asked(url: "http://h/\($0)") }
        #expect(requests.allSatisfy { many.lookUp($0) != nil })
        let one = try time(few, requests)
        let other = try time(many, requests)
        // On a machine with nothing else to do it is within 10 %; here others compete for it.
        #expect(other < one * 1.5, "\(one) for 100 look-ups, then \(other)")
        let clock = ContinuousClock()
        let counting = clock.measure { many.account(0, 0) }
        #expect(many.usage == 0, "\(counting)")
        #expect(many.lookUp(requests[0]) == nil)
    }
}

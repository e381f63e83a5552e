import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("One folder shared by many caches", .timeLimit(.minutes(2)))
struct SharedFolderTests {
    private static let capacity = 2 << 20

    /// A body that is different at every place, so that a mixture of two is detected.
    private static func body(_ number: UInt64) -> [UInt8] {
        var length = Int(number % 7) * 20_000 + 100
        if number % 5 == 0 { length = 50 }
        return PseudoRandom.bytes(length, seed: number)
    }

    /// An entry differs from the body stored under its URL.
    private struct Torn: Error {}

    /// Reads and writes random entries.
    ///
    /// - Returns: The number of served responses.
    private static func hammer(_ path: String) throws -> Int {
        var generator = SystemRandomNumberGenerator()
        let cache = URLCache(
            memoryCapacity: 0,
            diskCapacity: capacity,
            directory: URL(filePath: path)
        )
        var served = 0
        for _ in 0..<400 {
            let place = UInt64.random(in: 0..<40, using: &generator)
            let request = try asked(url: "http://h/\(place)")
            if let entry = cache.lookUp(request), entry.isWhole {
                let number = UInt64(entry.storedHead.fields["X"] ?? "") ?? 0
                guard number % 40 == place, isSameBytes(entry.body.data, body(number)) else {
                    throw Torn()
                }
                cache.use(entry)
                served += 1
                if served % 10 == 0 { cache.update(entry, to: entry.storedHead) }
                if served % 50 == 0 { cache.remove(entry) }
                if served % 3 != 0 { continue }
            }
            let number = place + 40 * UInt64.random(in: 0..<50, using: &generator)
            let response = try stored(["X: \(number)"], to: request)
            let recorder = cache.record(response, head(["X: \(number)"]))
            body(number).withUnsafeBytes { recorder?.append($0) }
            recorder?.commit()
        }
        return served
    }

    @Test("C-01 many caches in one folder at once find no torn entry")
    func hammer() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let path = folder.path("cache")
        let served = try await onThreads(6) { _ in try Self.hammer(path) }.reduce(0, +)
        #expect(served > 100)
        let size = folder.walk("cache").reduce(0) { $0 + (folder.size("cache/\($1)") ?? 0) }
        #expect(size <= Self.capacity + (1 << 20), "\(size)")
        let files = folder.walk("cache")
        #expect(files.filter { $0.hasSuffix("~") } == [])
    }
}

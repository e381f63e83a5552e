import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("The cache's own format")
struct DiskRecordTests {
    private static let small = Array("hello".utf8)
    private let folder: TestSupport.TemporaryFolder
    private let store: DiskStore

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        store = DiskStore(folder.path("cache"))
    }

    private func put(_ body: [UInt8], for request: CacheRequest) throws -> Bool {
        let response = try stored([], to: request)
        return store.store(response, MemoryBody(Data(body)), nil, nil, capacity: 64 << 20)
    }

    private func body(_ request: CacheRequest) -> [UInt8]? {
        store.lookUp(request).map { Array($0.body.data) }
    }

    /// The files of entries, as paths in the cache's folder.
    private func files() -> [String] {
        folder.walk("cache").filter { $0.contains("/") }.sorted()
    }

    /// The file of an entry in the first format: an identification, and lengths.
    private static let oldEntry =
        Array("fetchC\u{0}\u{1}".utf8) + [40, 0, 0, 0, 0, 0, 0, 0]
        + [UInt8](repeating: 7, count: 60)

    /// Makes a cache in the first format.
    ///
    /// It has an entry at the name of a request, one elsewhere, a separate body, and the usage count.
    private func makeOldCache(_ request: CacheRequest) throws {
        let name = DiskName(request.key)
        for (folder, file) in [
            (name.folder, name.file), ("0f", String(repeating: "0", count: 30)),
            ("0f", String(repeating: "0", count: 30) + ".0123456789abcdef"),
        ] {
            let path = "cache/\(folder)/\(file)"
            try self.folder.write(Self.oldEntry, to: path)
            try self.folder.setModified(1_000_000, of: path)
            chmod(self.folder.path(path), 0o600)
            chmod(self.folder.path("cache/\(folder)"), 0o700)
        }
        try folder.write([0, 0x40] + [UInt8](repeating: 0, count: 14), to: "cache/usage")
        chmod(folder.path("cache"), 0o700)
    }

    @Test("C-01 a cache of an older format counts as empty, and the next store removes it")
    func olderFormat() throws {
        let request = try asked()
        try makeOldCache(request)
        #expect(store.usage == 0)
        let new = try asked(url: "http://h/new")
        #expect(try put(Self.small, for: new))
        #expect(store.usage == 4_096)
        #expect(files().count == 1)
        #expect(body(new) == Self.small)
        #expect(store.lookUp(request) == nil)
        #expect(store.usage == 4_096)
    }

    @Test("C-01 a look-up that finds an older format removes the whole cache")
    func olderFormatFound() throws {
        let request = try asked()
        try makeOldCache(request)
        #expect(store.lookUp(request) == nil)
        #expect(files().count == 0)
        #expect(store.usage == 0)
        #expect(try put(Self.small, for: request))
        #expect(body(request) == Self.small)
        #expect(store.usage == 4_096)
    }

    @Test("C-01 a damaged entry is no longer counted, and neither is its body")
    func damagedUsage() throws {
        let request = try asked()
        #expect(try put(PseudoRandom.bytes(300_000, seed: 1), for: request))
        unlink(folder.path("cache/\(try #require(files().first { $0.contains(".") }))"))
        #expect(store.lookUp(request) == nil)
        #expect(store.usage == 0)
        #expect(try put(Self.small, for: request))
        let name = try #require(files().first)
        truncate(folder.path("cache/\(name)"), 20)
        #expect(store.lookUp(request) == nil)
        #expect(store.usage == 0)
    }

    @Test("C-01 a record whose time is not a number is refused", arguments: ["nan", "inf"])
    func timeThatIsNone(_ time: String) throws {
        let request = try asked()
        #expect(try put(Self.small, for: request))
        let name = "cache/\(try #require(files().first))"
        let record = try #require(folder.readText(name))
        let field = try #require(record.firstMatch(of: /Request-Time: [0-9.]+/))
        try folder.write(record.replacing(field.output, with: "Request-Time: \(time)"), to: name)
        #expect(store.lookUp(request) == nil)
    }

    @Test("C-01 a program's response is read as it was stored, or it is not stored")
    func heads() throws {
        let odd: [(lines: [String], status: Int, isStored: Bool)] = [
            (["X: a\"ü, b", "X: c", "Empty:"], 200, true), (["A B: c"], 404, true),
            (["X: a\r\nY: b"], 200, false), (["X\nY: b"], 200, false),
            (["HTTP/1.1 200: x"], 200, false),
            ([" X: a"], 200, false), ([": a"], 200, false), ([], 100, false), ([], 1_000, false),
        ]
        for (lines, status, isStored) in odd {
            let request = try asked(["Accept: a", "Cookie: ä=b"])
            let response = try stored(
                lines + ["Vary: Accept, Cookie, X-None"],
                status: status,
                to: request
            )
            let record = DiskRecord.BodyRecord(length: 3, checksum: 0xFFFF_FFFF, file: "0a")
            let userInfo: [String: any Sendable] = ["a b\n": "c\r\n", "": "", "n": Int.min]
            let encoded = DiskRecord.response(response, record, userInfo: userInfo).encoded
            #expect((encoded != nil) == isStored, "\(lines) \(status)")
            guard let encoded else { continue }
            guard
                case .response(let read, record, let info)? = encoded.withUnsafeBytes({
                    DiskRecord($0)
                })
            else {
                Issue.record("\(lines) is not read")
                continue
            }
            #expect(read == response)
            #expect(info?["a b\n"] as? String == "c\r\n")
            #expect(info?[""] as? String == "" && info?["n"] as? Int == Int.min)
        }
    }

    @Test("a response with unusual fields is stored as a parser may read it, or not at all")
    func strangeFields() throws {
        let request = try asked()
        let body = DiskRecord.BodyRecord(length: 5, checksum: 1, file: nil)
        func read(_ lines: [String]) throws -> StoredHead? {
            let response = try stored(lines, to: request)
            let encoded = DiskRecord.response(response, body, userInfo: nil).encoded
            guard case .response(let read, _, _)? = encoded?.withUnsafeBytes({ DiskRecord($0) })
            else {
                return nil
            }
            return read
        }
        #expect(try read(["X: a\rb"])?.fields["X"] == "a b")
        let chunked = try read(["Transfer-Encoding: chunked", "Content-Length: 5, 6"])
        #expect(chunked != nil && chunked?.fields["Content-Length"] == nil)
        #expect(try read((0..<1_100).map { "X-\($0): a" }) == nil)
    }

    @Test("a record of a field with carriage returns is written as it is read back")
    func returns() throws {
        let body = DiskRecord.BodyRecord(length: 5, checksum: 1, file: nil)
        let response = try stored(["X: \ra\rb\r"], to: asked())
        let encoded = try #require(DiskRecord.response(response, body, userInfo: nil).encoded)
        #expect(encoded.withUnsafeBytes { DiskRecord($0)?.encoded } == encoded)
    }
}

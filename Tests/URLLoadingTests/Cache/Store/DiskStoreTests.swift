import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Responses on disk")
struct DiskStoreTests: DiskStoreSuite {
    let folder: TestSupport.TemporaryFolder
    let store: DiskStore

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        store = DiskStore(folder.path("cache"))
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        stat(folder.path(name), &status)
        return status.st_mode & 0o777
    }

    @Test("C-01 a small response is one file, a large one two, and both are read unchanged")
    func roundTrip() throws {
        let one = try asked(url: "http://h/small?q=1")
        let two = try asked(url: "http://h/large")
        #expect(try put(Self.small, ["ETag: \"a\"", "X: ü"], for: one))
        #expect(files().count { $0.contains("/") } == 1)
        #expect(try put(Self.large, for: two))
        #expect(files().count { $0.contains("/") } == 3)
        let entry = try #require(store.lookUp(one))
        #expect(entry.storedHead == (try stored(["ETag: \"a\"", "X: ü"], to: one)))
        #expect(body(one) == Self.small)
        #expect(isSameBytes(body(two), Self.large))
        let other = DiskStore(folder.path("cache") + "/")
        #expect(isSameBytes(body(two, in: other), Self.large))
    }

    @Test("C-01 a look-up makes no file, and a store makes private folders and files")
    func modes() throws {
        let request = try asked()
        #expect(store.lookUp(request) == nil)
        store.remove(request.key)
        store.removeAll(since: nil)
        #expect(store.usage == 0)
        #expect(folder.names() == [])
        umask(0o022)
        try put(Self.large, for: request)
        #expect(mode("cache") == 0o700)
        for file in files() { #expect(mode("cache/\(file)") == 0o600, "\(file)") }
        for name in folder.folders("cache") { #expect(mode("cache/\(name)") == 0o700) }
    }

    @Test("C-01 an empty body is stored as a body")
    func empty() throws {
        let request = try asked()
        try put([], for: request)
        #expect(body(request) == [])
    }

    @Test("C-01 a head of up to 2 MiB is stored, and a larger one is not")
    func largeHead() throws {
        let request = try asked()
        let long = "X: " + String(repeating: "x", count: 20_000)
        #expect(try put(Self.small, [long], for: request))
        #expect(store.lookUp(request)?.storedHead.fields["X"]?.utf8.count == 20_000)
        #expect(body(request) == Self.small)
        let endless = "X: " + String(repeating: "x", count: 2 << 20)
        #expect(try !put(Self.small, [endless], for: try asked(url: "http://h/b")))
    }

    @Test("C-01 a 304 for a large body writes a new head, and not the body")
    func update() throws {
        let request = try asked()
        try put(Self.large, ["X: 1"], for: request)
        let name = try #require(files().first { $0.contains(".") })
        let before = folder.modified("cache/\(name)")
        let entry = try #require(store.lookUp(request))
        store.update(entry, to: try stored(["X: 2"], to: request))
        #expect(store.lookUp(request)?.storedHead.fields["X"] == "2")
        #expect(isSameBytes(body(request), Self.large))
        #expect(files().first { $0.contains(".") } == name)
        #expect(folder.modified("cache/\(name)") == before)
        // A reader with the older entry can still read it, and changes nothing.
        try put(Self.small, ["X: 3"], for: request)
        store.update(entry, to: try stored(["X: 4"], to: request))
        store.remove(entry)
        #expect(store.lookUp(request)?.storedHead.fields["X"] == "3")
        #expect(isSameBytes(Array(entry.body.data), Self.large))
    }

    @Test("C-01 a new response replaces the old one completely")
    func replaced() throws {
        let request = try asked()
        try put(Self.large, for: request)
        try put(PseudoRandom.bytes(200_000, seed: 2), for: request)
        #expect(files().count { $0.contains("/") } == 2)
        try put(Self.small, for: request)
        #expect(files().count { $0.contains("/") } == 1)
        #expect(body(request) == Self.small)
        #expect(store.usage == 4_096)
        store.remove(request.key)
        #expect(files().count { $0.contains("/") } == 0)
        #expect(store.usage == 0)
    }

    @Test("C-01 several responses of one key are stored, and removed together")
    func variants() throws {
        let vary = ["Vary: Accept-Language"]
        let german = try asked(["Accept-Language: de"])
        let english = try asked(["Accept-Language: en"])
        try put(Array("hallo".utf8), vary, for: german)
        try put(Self.large, vary, for: english)
        #expect(body(german) == Array("hallo".utf8))
        #expect(isSameBytes(body(english), Self.large))
        #expect(store.lookUp(try asked()) == nil)
        store.remove(german.key)
        #expect(store.lookUp(english) == nil)
        #expect(files().count { $0.contains("/") } == 0)
        // A response with another Vary is not found again.
        try put(Array("hallo".utf8), vary, for: german)
        try put(Array("all".utf8), [], for: english)
        #expect(body(german) == Array("all".utf8))
        try put(Self.small, vary, for: english)
        #expect(store.lookUp(german) == nil)
    }

    @Test("C-01 the least recently used entry is removed first, within the folder's capacity")
    func eviction() throws {
        let capacity = 40 * 4_096
        for index in 0..<40 {
            let request = try asked(url: "http://h/\(index)")
            try put(Self.small, for: request, capacity: capacity)
            let name = DiskName(request.key)
            try folder.setModified(1_000_000 + index, of: "cache/\(name.folder)/\(name.file)")
        }
        let first = try asked(url: "http://h/0")
        store.use(try #require(store.lookUp(first)))
        try put(Self.small, for: try asked(url: "http://h/new"), capacity: capacity)
        #expect(store.usage <= capacity)
        #expect(files().count { $0.contains("/") } <= 40)
        #expect(body(first) == Self.small)
        #expect(store.lookUp(try asked(url: "http://h/1")) == nil)
        #expect(body(try asked(url: "http://h/39")) == Self.small)
        #expect(body(try asked(url: "http://h/new")) == Self.small)
    }

    @Test("C-01 folders are made whose names begin with a combining accent")
    func accents() throws {
        let store = DiskStore(folder.path("\u{301}a/\u{301}b/cache"))
        let request = try asked()
        let response = try stored([], to: request)
        #expect(store.store(response, MemoryBody(Data(Self.small)), nil, nil, capacity: 1 << 20))
    }

    @Test(
        "C-01 the used space is measured again after 1,000 changes, or after more if more is stored",
        arguments: [(Int64(0), 1_000), (64 << 20, 4 << 10)]
    )
    func doubt(stored: Int64, changes: Int) throws {
        try folder.makeFolder("cache")
        guard var usage = DiskUsage(folder.path("cache")) else {
            Issue.record("no counter")
            return
        }
        usage.set(stored, before: 0)
        var isDoubtful: [Bool] = []
        for _ in 1...changes {
            usage.add(0)
            isDoubtful.append(usage.isDoubtful)
        }
        #expect(isDoubtful.firstIndex(of: true) == changes - 1)
    }

    @Test("C-01 eviction removes files of killed processes, and keeps drafts in use")
    func existingFiles() throws {
        let request = try asked()
        let draft = try #require(store.makeDraft(try asked(url: "http://h/slow").key))
        try put(Self.small, for: request)
        let name = DiskName(request.key)
        for left in ["\(name.file).0123~", "\(name.file).0123456789abcdef"] {
            try folder.write("left", to: "cache/\(name.folder)/\(left)")
            try folder.setModified(1_000_000, of: "cache/\(name.folder)/\(left)")
        }
        let under = "cache" + draft.path.dropFirst(folder.path("cache").utf8.count)
        try folder.setModified(1_000_000, of: under)
        try put(Self.small, for: try asked(url: "http://h/b"), capacity: 4_096)
        #expect(files().filter { $0.contains("0123") } == [])
        #expect(folder.exists(under))
        withExtendedLifetime(draft) {}
    }

    @Test("C-01 a reader continues though its entry is evicted")
    func evictedWhileRead() throws {
        let request = try asked()
        try put(Self.large, for: request)
        let entry = try #require(store.lookUp(request))
        var reader = CacheReader(head: head([]), body: entry.body, isHead: false)
        var piece = [UInt8](repeating: 0, count: 1_000)
        let count = try piece.withUnsafeMutableBytes { try reader.read(into: $0) }
        store.removeAll(since: nil)
        #expect(store.lookUp(request) == nil)
        #expect(isSameBytes(piece[..<count] + (try reader.readAll()), Self.large))
    }

    @Test("C-01 an emptied cache is empty, and can be used further")
    func emptied() throws {
        for index in 0..<10 { try put(Self.large, for: try asked(url: "http://h/\(index)")) }
        #expect(store.usage > 3_000_000)
        store.removeAll(since: nil)
        #expect(files().count { $0.contains("/") } == 0)
        #expect(store.usage == 0)
        try put(Self.small, for: try asked())
        #expect(body(try asked()) == Self.small)
    }

    @Test("C-01 an abandoned recording leaves no file")
    func abandoned() throws {
        let cache = cache()
        let request = try asked()
        let head = head(["Cache-Control: max-age=9"])
        let recorder = try #require(cache.record(try stored([], to: request), head))
        Self.large.withUnsafeBytes { recorder.append($0) }
        #expect(files().count { $0.contains("/") } == 1)
        recorder.abandon()
        #expect(files().count { $0.contains("/") } == 0)
        #expect(recorder.proposal(url: try url("http://h/")) == nil)
    }

    @Test("T-12 a delegate's proposal has a mapped body, and is stored unchanged or changed")
    func proposal() throws {
        let cache = cache()
        let request = try asked()
        func recorded() throws -> CacheRecorder {
            let response = try stored(["X: 1"], to: request)
            let recorder = try #require(cache.record(response, head(["X: 1"])))
            Self.large.withUnsafeBytes { recorder.append($0) }
            return recorder
        }
        let kept = try recorded()
        let proposal = try #require(kept.proposal(url: try url("http://h/a")))
        #expect(isSameBytes(proposal.data, Self.large))
        kept.commit(proposal)
        #expect(isSameBytes(body(request), Self.large))

        let changed = try recorded()
        let other = CachedURLResponse(
            response: try #require(changed.proposal(url: try url("http://h/a"))).response,
            data: Data(Self.small),
            userInfo: ["a": "b"]
        )
        changed.commit(other)
        #expect(body(request) == Self.small)
        #expect(store.lookUp(request)?.userInfo?["a"] as? String == "b")

        let refused = try recorded()
        refused.commit(nil)
        #expect(body(request) == Self.small)
        #expect(files().count { $0.contains("/") } == 1)
    }
}

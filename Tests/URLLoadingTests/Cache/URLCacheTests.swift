import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("URLCache")
struct URLCacheTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func response(_ lines: [String] = []) throws -> HTTPURLResponse {
        HTTPURLResponse(
            url: try url("http://h/a"),
            statusCode: 200,
            httpVersion: nil,
            headerFields: fields(lines)
        )
    }

    private func cache(memory: Int = 1 << 20, disk: Int = 0) -> URLCache {
        URLCache(
            memoryCapacity: memory,
            diskCapacity: disk,
            directory: URL(filePath: folder.path("cache"))
        )
    }

    @Test("C-01 a program finds and removes the responses that it stored", arguments: [0, 1 << 20])
    func roundTrip(_ disk: Int) throws {
        let cache = cache(disk: disk)
        let asked = try request("http://h/a?b=c")
        #expect(cache.cachedResponse(for: asked) == nil)
        cache.storeCachedResponse(
            CachedURLResponse(
                response: try response(["X: 1"]),
                data: Data("hello".utf8),
                userInfo: ["text": "t", "number": 7, "flag": true, "half": 0.5, "data": Data([1])]
            ),
            for: asked
        )
        let found = try #require(cache.cachedResponse(for: asked))
        #expect(found.data == Data("hello".utf8))
        #expect((found.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "x") == "1")
        #expect(found.userInfo?["text"] as? String == "t")
        #expect(found.userInfo?["number"] as? Int == 7)
        #expect(found.userInfo?["flag"] as? Bool == true)
        #expect(found.userInfo?["half"] as? Double == 0.5)
        #expect(found.userInfo?["data"] as? Data == Data([1]))
        #expect(cache.cachedResponse(for: try request("http://h/a?b=d")) == nil)
        #expect(cache.cachedResponse(for: try request("https://h/a?b=c")) == nil)
        cache.removeCachedResponse(for: try request("http://h/a?b=d"))
        #expect(cache.cachedResponse(for: asked) != nil)
        cache.removeCachedResponse(for: asked)
        #expect(cache.cachedResponse(for: asked) == nil)
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test("C-01 a response's storage policy selects memory, disk or neither")
    func storagePolicies() throws {
        let cache = cache(disk: 1 << 20)
        for (path, policy) in [
            ("a", URLCache.StoragePolicy.allowed), ("b", .allowedInMemoryOnly), ("c", .notAllowed),
        ] {
            let stored = CachedURLResponse(
                response: try response(),
                data: Data(path.utf8),
                storagePolicy: policy
            )
            cache.storeCachedResponse(stored, for: try request("http://h/\(path)"))
        }
        #expect(cache.cachedResponse(for: try request("http://h/a"))?.storagePolicy == .allowed)
        let inMemory = cache.cachedResponse(for: try request("http://h/b"))
        #expect(inMemory?.storagePolicy == .allowedInMemoryOnly)
        #expect(cache.cachedResponse(for: try request("http://h/c")) == nil)
        let other = self.cache(disk: 1 << 20)
        #expect(other.cachedResponse(for: try request("http://h/a"))?.data == Data("a".utf8))
        #expect(other.cachedResponse(for: try request("http://h/b")) == nil)
    }

    @Test(
        "C-01 responses stored since a moment are removed; older ones stay",
        arguments: [0, 1 << 20]
    )
    func since(_ disk: Int) throws {
        let cache = cache(disk: disk)
        let asked = try request("http://h/a")
        cache.storeCachedResponse(
            CachedURLResponse(response: try response(), data: Data()),
            for: asked
        )
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: 60))
        #expect(cache.cachedResponse(for: asked) != nil)
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -60))
        #expect(cache.cachedResponse(for: asked) == nil)
    }

    @Test("C-01 a smaller capacity removes the least recently used responses")
    func memoryCapacity() throws {
        let cache = cache(memory: 100_000)
        for index in 0..<20 {
            cache.storeCachedResponse(
                CachedURLResponse(response: try response(), data: Data(count: 4_000)),
                for: try request("http://h/\(index)")
            )
        }
        #expect(cache.currentMemoryUsage <= 100_000)
        _ = cache.cachedResponse(for: try request("http://h/0"))
        cache.memoryCapacity = 30_000
        #expect(cache.currentMemoryUsage <= 30_000)
        #expect(cache.cachedResponse(for: try request("http://h/0")) != nil)
        #expect(cache.cachedResponse(for: try request("http://h/1")) == nil)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("C-01 a request without the fields that a session adds finds the response they selected")
    func lenient() throws {
        for disk in [0, 1 << 20] {
            let cache = cache(disk: disk)
            var asked = try request("http://h/a")
            asked.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
            cache.storeCachedResponse(
                CachedURLResponse(
                    response: try response(["Vary: Accept-Encoding"]),
                    data: Data("zipped".utf8)
                ),
                for: asked
            )
            let plain = try request("http://h/a")
            #expect(cache.cachedResponse(for: plain)?.data == Data("zipped".utf8))
            asked.setValue("br", forHTTPHeaderField: "Accept-Encoding")
            #expect(cache.cachedResponse(for: asked) == nil)
            cache.removeCachedResponse(for: plain)
            #expect(cache.cachedResponse(for: plain) == nil)
        }
    }

    @Test("C-01 a body that the program has received decoded is stored without its coding")
    func decoded() throws {
        let cache = cache(disk: 0)
        let asked = try request("http://h/a")
        let coded = try response(["Content-Encoding: gzip", "Content-Length: 7"])
        cache.storeCachedResponse(
            CachedURLResponse(response: coded, data: Data(Array("decoded".utf8) + [0])),
            for: asked
        )
        let stored = try #require(cache.cachedResponse(for: asked))
        let fields = try #require(stored.response as? HTTPURLResponse).headerFields
        #expect(fields["Content-Encoding"] == nil)
        #expect(fields["Content-Length"] == "8")
    }

    @Test("C-01 only responses to GET over HTTP are stored")
    func others() throws {
        let cache = cache()
        var post = try request("http://h/a")
        post.httpMethod = "POST"
        let stored = CachedURLResponse(response: try response(), data: Data())
        cache.storeCachedResponse(stored, for: post)
        cache.storeCachedResponse(stored, for: URLRequest(url: try url("file:///a")))
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.cachedResponse(for: post) == nil)
    }

    @Test("S-03 an ephemeral session has a cache of its own, a default one the shared cache")
    func configurations() {
        SharedCache.keepOffDisk
        let one = URLSessionConfiguration.ephemeral.urlCache
        let other = URLSessionConfiguration.ephemeral.urlCache
        #expect(one != nil)
        #expect(one !== other)
        #expect(one?.diskCapacity == 0)
        #expect(URLSessionConfiguration.default.urlCache === URLCache.shared)
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #expect(configuration.urlCache == nil)
        #expect(configuration.requestCachePolicy == .reloadIgnoringLocalCacheData)
    }
}

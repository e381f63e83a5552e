import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("A hop and the cache")
struct CacheExchangeTests {
    let clock = HandClock()
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)

    func exchange(
        _ request: CacheRequest,
        _ policy: URLRequest.CachePolicy? = .useProtocolCachePolicy
    ) -> CacheExchange {
        CacheExchange(request, policy: policy, cache: cache, clock: clock.clock)
    }

    /// The fields of the request to the server; `nil` where none is sent.
    func load(
        _ request: CacheRequest,
        _ response: HopHead,
        _ body: String = ""
    ) throws -> [String]? {
        var exchange = exchange(request)
        guard case .load(let fields) = exchange.begin() else { return nil }
        guard case .forward(let recorder) = exchange.received(response) else { return nil }
        Array(body.utf8).withUnsafeBytes { recorder?.append($0) }
        recorder?.commit()
        return fields.map { "\($0.name): \($0.value)" }
    }

    func served(_ request: CacheRequest) throws -> String? {
        var exchange = exchange(request)
        guard case .serve(var reader) = exchange.begin() else { return nil }
        return String(decoding: try reader.readAll(), as: UTF8.self)
    }

    @Test("C-01 a recorded response is served while it is fresh, with its Age")
    func fresh() throws {
        let request = try asked()
        let response = head(["Cache-Control: max-age=10", "Content-Type: text/plain"])
        #expect(try load(request, response, "hello") == [])
        clock.now += 4
        var again = exchange(request)
        guard case .serve(var reader) = again.begin() else {
            Issue.record("loaded")
            return
        }
        #expect(reader.head.status == 200)
        #expect(reader.head.fields["Age"] == "4")
        #expect(reader.head.fields["Content-Type"] == "text/plain")
        #expect(reader.length == 5)
        #expect(try reader.readAll(2) == Array("hello".utf8))
        clock.now += 6
        #expect(try load(request, head(["Cache-Control: no-store"])) == [])
        #expect(try served(request) == nil)
    }

    @Test("C-01 HEAD is served from a stored response to GET, without its body")
    func headFromGet() throws {
        let request = try asked()
        _ = try load(request, head(["Cache-Control: max-age=10"]), "hello")
        var again = exchange(try asked(method: "HEAD"))
        guard case .serve(var reader) = again.begin() else {
            Issue.record("loaded")
            return
        }
        #expect(reader.head.fields["Content-Length"] == "5")
        #expect(try reader.readAll() == [])
    }

    @Test("C-01 the response to a HEAD refreshes the stored response, or removes it")
    func freshening() throws {
        let request = try asked()
        let asking = try asked(["Cache-Control: no-cache"], method: "HEAD")
        _ = try load(request, head(["Cache-Control: max-age=10"]), "hello")
        clock.now += 8
        _ = try load(asking, head(["Cache-Control: max-age=10", "Content-Length: 5"]))
        clock.now += 8
        #expect(try served(request) == "hello")
        _ = try load(asking, head(["Content-Length: 6"]))
        #expect(try served(request) == nil)
        _ = try load(request, head(["Cache-Control: max-age=10"], status: 404), "missing")
        _ = try load(asking, head(["Cache-Control: max-age=10"]))
        #expect(try served(request) == nil)
    }

    @Test("C-01 an unsafe request invalidates the stored response of its target")
    func invalidated() throws {
        let request = try asked()
        let other = try asked(url: "http://h/other")
        for request in [request, other] {
            _ = try load(request, head(["Cache-Control: max-age=10"]), "hello")
        }
        let post = try asked(method: "POST")
        _ = try load(post, head([], status: 500))
        #expect(try served(request) == "hello")
        _ = try load(post, head(["Location: /other"], status: 201))
        #expect(try served(request) == nil)
        #expect(try served(other) == nil)
    }

    @Test("C-01 several responses of one URL are stored, by the fields in Vary")
    func variants() throws {
        let response = head(["Cache-Control: max-age=10", "Vary: Accept-Language"])
        let german = try asked(["Accept-Language: de"])
        let english = try asked(["Accept-Language: en"])
        _ = try load(german, response, "hallo")
        _ = try load(english, response, "hello")
        #expect(try served(german) == "hallo")
        #expect(try served(english) == "hello")
        #expect(try served(asked()) == nil)
    }

    @Test("C-02 the hop fails, or is a 504, where neither network nor cache can be used")
    func offline() throws {
        var offline = exchange(try asked(), .returnCacheDataDontLoad)
        guard case .fail(let error) = offline.begin() else {
            Issue.record("loaded")
            return
        }
        #expect(error.code == .cannotLoadFromNetwork)
        var contradictory = exchange(try asked(), nil)
        guard case .fail = contradictory.begin() else {
            Issue.record("loaded")
            return
        }
        var cachedOnly = exchange(try asked(["Cache-Control: only-if-cached"]))
        guard case .serve(let reader) = cachedOnly.begin() else {
            Issue.record("loaded")
            return
        }
        #expect(reader.head.status == 504)
        #expect(reader.length == 0)
    }

    @Test("C-02 a response that is stale at once is stored only under the policy that serves it")
    func keepsStale() throws {
        let request = try asked()
        #expect(try load(request, head([]), "hello") == [])
        #expect(cache.currentMemoryUsage == 0)
        var prefer = exchange(request, .returnCacheDataElseLoad)
        guard case .load = prefer.begin(), case .forward(let recorder?) = prefer.received(head([]))
        else {
            Issue.record("not recorded")
            return
        }
        Array("hello".utf8).withUnsafeBytes { recorder.append($0) }
        recorder.commit()
        clock.now += 1e6
        var offline = exchange(request, .returnCacheDataDontLoad)
        guard case .serve(var reader) = offline.begin() else {
            Issue.record("missing")
            return
        }
        #expect(try reader.readAll() == Array("hello".utf8))
    }

    @Test("C-01 a body that is truncated, too large, or abandoned is not stored")
    func notStored() throws {
        let request = try asked()
        #expect(
            try load(request, head(["Cache-Control: max-age=9", "Content-Length: 9"]), "x") != nil
        )
        #expect(try served(request) == nil)
        let large = String(repeating: "x", count: (1 << 20) / 20 + 1)
        _ = try load(request, head(["Cache-Control: max-age=9"]), large)
        #expect(try served(request) == nil)
        var exchange = exchange(request)
        _ = exchange.begin()
        let tooLarge = head(["Cache-Control: max-age=9", "Content-Length: 60000"])
        guard case .forward(nil) = exchange.received(tooLarge) else {
            Issue.record("recorded in vain")
            return
        }
        guard case .forward(let recorder?) = exchange.received(head(["Cache-Control: max-age=9"]))
        else {
            Issue.record("not recorded")
            return
        }
        recorder.abandon()
        recorder.commit()
        #expect(try served(request) == nil)
    }
}

import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Request targets of the caller", .timeLimit(.minutes(1)))
struct RequestTargetTests {
    @Test(
        "the client refuses a target that could end the request line, and sends nothing",
        arguments: [
            "", " ", "/a b", "/a\r\nX: y", "/a\n", "/\t", "/\u{0}", "/\u{7F}", "/é", "a\r",
            "/a\u{85}",
        ]
    )
    func refused(target: String) async throws {
        let server = try SocketServer { _ in }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        var request = try request(server.url("/x"))
        request.httpRequestTarget = target
        #expect(await errorCode { _ = try await session.data(for: request) } == .badURL)
        #expect(!server.wasCalled)
    }

    @Test("the client sends a target as it is, and requests a redirect's own path")
    func sent() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "http://other/a?b#c" else {
                return try connection.respond(body: head.target)
            }
            try connection.respond("302 Found", ["Location: /next"])
        }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        var request = try request(server.url("/x"))
        request.httpRequestTarget = "http://other/a?b#c"
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "/next")
        #expect(server.heads.map(\.target) == ["http://other/a?b#c", "/next"])
    }

    @Test("the client computes a digest for the target that it sends")
    func digest() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head["Authorization"] == nil else { return try connection.respond(body: "in") }
            let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
            try connection.respond("401 Unauthorized", ["WWW-Authenticate: \(challenge)"])
        }
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        var request = try request("http://me:pw@127.0.0.1:\(server.port)/x")
        request.httpRequestTarget = "/other?q"
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect(server.heads.last?["Authorization"]?.contains("uri=\"/other?q\"") == true)
    }

    @Test("the client neither stores nor reads the response of a target in the cache")
    func cache() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.respond("200 OK", ["Cache-Control: max-age=600"], body: head.target)
            }
        }
        let session = try URLSession.testing { $0.urlCache = .inMemory }
        defer { session.invalidateAndCancel() }
        func body(_ target: String?) async throws -> String {
            var request = try request(server.url("/x"))
            request.httpRequestTarget = target
            return String(decoding: try await session.data(for: request).0, as: UTF8.self)
        }
        #expect(try await body("/other") == "/other")
        #expect(try await body(nil) == "/x")
        #expect(try await body("/third") == "/third")
        #expect(try await body(nil) == "/x")
        #expect(server.requestCount == 3)
        var unsent = try request(server.url("/x"))
        unsent.httpRequestTarget = "/other"
        unsent.cachePolicy = .returnCacheDataDontLoad
        let code = await errorCode { _ = try await session.data(for: unsent) }
        #expect(code == .cannotLoadFromNetwork || code == .resourceUnavailable)
        #expect(server.requestCount == 3)
    }

    /// A path, and its sent form with dot segments and without.
    static let paths = [
        ("/a/../b/./c", "/a/../b/./c", "/b/c"), ("/../x", "/../x", "/x"),
        ("/a/..?q=/../y", "/a/..?q=/../y", "/?q=/../y"), ("/plain", "/plain", "/plain"),
    ]

    @Test(
        "the client keeps dot segments where the session asks for them, in redirects too",
        arguments: paths
    )
    func dots(path: String, kept: String, resolved: String) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let location = "Location: \(head["X-Next"] ?? "")"
                let isNext = head.target == "/first"
                try connection.respond(isNext ? "302 Found" : "200 OK", isNext ? [location] : [])
            }
        }
        for keeps in [true, false] {
            let session = try URLSession.testing { $0.transport.keepsDotSegments = keeps }
            defer { session.invalidateAndCancel() }
            _ = try await session.data(for: try request(server.url(path)))
            #expect(server.heads.last?.target == (keeps ? kept : resolved))
            var first = try request(server.url("/first"))
            first.setValue(server.url(path), forHTTPHeaderField: "X-Next")
            _ = try await session.data(for: first)
            #expect(server.heads.last?.target == (keeps ? kept : resolved))
        }
    }

    @Test("the client chooses cookies by the path after resolving dot segments")
    func cookies() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let name = head.target.contains("in") ? "in" : "out"
            try connection.respond("200 OK", ["Set-Cookie: \(name)=1; Path=/\(name)"])
        }
        let session = try URLSession.testing { $0.transport.keepsDotSegments = true }
        defer { session.invalidateAndCancel() }
        for path in ["/in/x", "/out/x"] {
            _ = try await session.data(for: request(server.url(path)))
        }
        _ = try await session.data(for: request(server.url("/in/../out/y")))
        #expect(server.heads.last?.target == "/in/../out/y")
        #expect(server.heads.last?["Cookie"] == "out=1")
    }
}

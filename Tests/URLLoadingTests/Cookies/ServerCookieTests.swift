import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Cookies that a server may set", .timeLimit(.minutes(1)))
struct ServerCookieTests {
    /// A line over plain HTTP at a.example.com, and the resulting cookie.
    static let lines: [(String, String?)] = [
        ("a=1", "a=1 a.example.com /dir"),
        ("a=1; Domain=example.com; Path=/x", "a=1 .example.com /x"),
        ("a=1; Domain=.EXAMPLE.com", "a=1 .example.com /dir"),
        ("a=1; Domain=com", nil), ("a=1; Domain=b.a.example.com", nil),
        ("a=1; Domain=other.example", nil), ("a=1; Domain=mple.com", nil),
        ("a=1; Secure", nil), ("__Secure-a=1; Path=/", nil), ("__Host-a=1; Secure; Path=/", nil),
        ("a=1; Max-Age=0", nil), ("a=1; Max-Age=-5", nil),
        ("a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT", nil),
        ("a=1; Expires=garbage", "a=1 a.example.com /dir"),
        ("a=b\u{1}c", nil), ("a=b\u{7F}c", nil), ("=b", nil),
        ("a=" + String(repeating: "x", count: 5_000), nil),
        ("a=1; HttpOnly", "a=1 a.example.com /dir"),
        ("a=1; Path=\"/dir\"", "a=1 a.example.com /dir"),
        ("a=1; path = \"/x/y/\"; Secured", "a=1 a.example.com /x/y/"),
        ("a=1; Path=", "a=1 a.example.com /dir"), ("a=1; Path=x", "a=1 a.example.com /dir"),
        ("a=1; Path=/dir/", "a=1 a.example.com /dir/"),
        ("a=1; Path=/x; Path=/y", "a=1 a.example.com /y"),
    ]

    @Test("C-03 a cookie without a path is sent to the page's folder, and to the folder's own name")
    func defaultPath() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let cookie = head.target == "/login/check" ? ["Set-Cookie: a=1"] : []
            try connection.respond("200 OK", cookie + ["Connection: close"], body: "x")
        }
        let session = try URLSession.testing()
        for path in ["/login/check", "/login", "/login/x?y", "/loginx", "/"] {
            _ = try await session.data(from: try url(server.url(path)))
        }
        session.finishTasksAndInvalidate()
        #expect(server.heads.map { $0["Cookie"] } == [nil, "a=1", "a=1", nil, nil])
    }

    @Test("C-03 libcurl's rules decide which cookies a server may set", arguments: lines)
    func hostile(line: String, expected: String?) async throws {
        let server = try CookieServer([line])
        let storage = try await server.load()
        let found = storage.cookies?.map { "\($0.name)=\($0.value) \($0.domain) \($0.path)" }
        #expect(found == [expected].compactMap { $0 })
        try server.socket.verify()
    }

    @Test(
        "C-03 no host sets a cookie for a public suffix",
        arguments: ["co.uk", "com", "github.io"]
    )
    func suffixes(suffix: String) async throws {
        let server = try CookieServer(["a=1; Domain=\(suffix)", "b=1; Domain=x.\(suffix)"])
        let storage = try await server.load(host: "www.x.\(suffix)")
        #expect(storage.names == ["b"])
        // The suffix itself may be a host, whose cookies are for that host alone.
        let own = try await CookieServer(["a=1; Domain=\(suffix)"]).load(host: suffix)
        #expect(own.cookies?.map(\.domain) == [suffix])
    }

    @Test(
        "C-03 an address in another spelling has its own cookies",
        arguments: ["127.1", "0x7f.1"]
    )
    func spelledAddress(host: String) async throws {
        let server = try CookieServer(["a=1"])
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let address = try url("http://\(host):\(server.socket.port)/")
        for _ in 0..<2 { _ = try await session.data(from: address) }
        #expect(server.cookies == ["", "a=1"])
    }

    @Test("C-03 a Secure cookie over TLS is not replaced over plain HTTP")
    func secure() async throws {
        let storage = HTTPCookieStorage()
        // libcurl treats the name localhost like TLS.
        storage.setCookie(cookie("a", domain: ".example.com", isSecure: true))
        let server = try CookieServer(["a=2; Domain=example.com", "b=2"])
        let session = try URLSession.testing { configuration in
            configuration.httpCookieStorage = storage
            configuration.transport.resolve = ["a.example.com:\(server.socket.port):127.0.0.1"]
        }
        _ = try await session.data(from: try url("http://a.example.com:\(server.socket.port)/"))
        session.finishTasksAndInvalidate()
        #expect(server.cookies == [""])
        #expect(storage.cookies?.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2"])
    }

    @Test(
        "a thousand cookies in one response become fifty, and the next request is within its limit"
    )
    func thousand() async throws {
        let server = try CookieServer(
            (0..<900).map { "n\($0)=" + String(repeating: "x", count: 200) }
        )
        let storage = try await server.load(times: 2)
        #expect(storage.names.count == 50)
        let sent = try #require(server.cookies.last)
        #expect(sent.utf8.count <= 8_190)
        #expect(sent.hasPrefix("n0=x"))
    }

    @Test("a cookie lives at most 400 days")
    func longest() async throws {
        let server = try CookieServer(["a=1; Max-Age=99999999999"])
        let end = try await server.load().cookies?.first?.expiresDate
        #expect(try #require(end) <= Date(timeIntervalSinceNow: 400 * 86_400))
        #expect(try #require(end) > Date(timeIntervalSinceNow: 399 * 86_400))
    }

    @Test("an interim response, or a host with another Host header, sets no cookies")
    func unsure() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 103 Early Hints\r\nSet-Cookie: early=1\r\n\r\n")
            try connection.respond("200 OK", ["Set-Cookie: final=1"], body: "x")
        }
        let session = try URLSession.testing()
        let page = try url(server.url("/"))
        _ = try await session.data(from: page)
        #expect(session.configuration.httpCookieStorage?.names == ["final"])
        var request = URLRequest(url: page)
        request.setValue("bank.example", forHTTPHeaderField: "Host")
        session.configuration.httpCookieStorage?.removeCookies(since: .distantPast)
        _ = try await session.data(for: request)
        #expect(session.configuration.httpCookieStorage?.names == [])
        session.finishTasksAndInvalidate()
    }

    @Test("a proxy's challenge sets no cookies for a host")
    func proxy() async throws {
        let proxy = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "407 Proxy Authentication Required",
                ["Proxy-Authenticate: Basic realm=p", "Set-Cookie: evil=1"]
            )
        }
        let session = try URLSession.testing { $0.transport.proxy = .url(proxy.url("")) }
        _ = try await session.data(from: try url("http://a.example.com/"))
        #expect(session.configuration.httpCookieStorage?.names == [])
        session.finishTasksAndInvalidate()
    }
}

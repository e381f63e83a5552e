import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Cookies of sessions", .timeLimit(.minutes(1)))
struct CookieExchangeTests {
    /// A server that sets cookies, and notes what it is sent.
    private final class Server: Sendable {
        let socket: SocketServer
        private let sink: Sink

        init(_ lines: [String]) throws {
            let sink = Sink()
            socket = try SocketServer { connection in
                while let head = try connection.nextHead() {
                    sink.note(head.values("cookie").joined(separator: " | "))
                    try connection.respond("200 OK", lines.map { "Set-Cookie: \($0)" }, body: "x")
                }
            }
            self.sink = sink
        }

        /// The Cookie fields, one for each request.
        var cookies: [String] { sink.all }

        private final class Sink: Sendable {
            private let heard = Mutex<[String]>([])
            var all: [String] { heard.withLock { $0 } }
            func note(_ text: String) { heard.withLock { $0.append(text) } }
        }
    }

    /// Has a host's name lead to a server, and loads a page there.
    private func load(
        _ server: Server,
        host: String = "a.example.com",
        path: String = "/dir/page?q=/x",
        times: Int = 1,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> HTTPCookieStorage {
        let storage = HTTPCookieStorage()
        let session = try URLSession.testing { configuration in
            configuration.httpCookieStorage = storage
            configuration.transport.resolve = ["\(host):\(server.socket.port):127.0.0.1"]
            change(configuration)
        }
        for _ in 0..<times {
            let page = try url("http://\(host):\(server.socket.port)\(path)")
            _ = try await session.data(from: page)
        }
        session.finishTasksAndInvalidate()
        return storage
    }

    @Test("C-03 cookies come back, by host and path, over HTTP/1.1 and HTTP/2")
    func back() async throws {
        let nginx = try Nginx.shared
        for base in [nginx.url(""), nginx.tlsURL(""), nginx.http2URL("")] {
            let session = try URLSession.testing()
            _ = try await session.data(from: try url(base + "/cookies/set/one/1"))
            _ = try await session.data(from: try url(base + "/cookies/session/two/2"))
            let (data, _) = try await session.data(from: try url(base + "/echo/back"))
            #expect(String(decoding: data, as: UTF8.self).contains("cookie: one=1; two=2\n"))
            _ = try await session.data(from: try url(base + "/cookies/delete/one"))
            let (again, _) = try await session.data(from: try url(base + "/echo/back"))
            #expect(String(decoding: again, as: UTF8.self).contains("cookie: two=2\n"))
            session.finishTasksAndInvalidate()
        }
    }

    @Test("T-09 what a redirect sets goes with the next request, also where a delegate decides")
    func redirect() async throws {
        let page = try url(try Nginx.shared.url("/cookies/redirect/hop/1"))
        for delegate in [nil, RecordingDelegate()] {
            let session = try URLSession.testing(delegate)
            let (data, _) = try await session.data(from: page)
            #expect(String(decoding: data, as: UTF8.self).contains("cookie: hop=1\n"))
            #expect(session.configuration.httpCookieStorage?.names == ["hop"])
            session.finishTasksAndInvalidate()
        }
    }

    @Test("what a refusal sets goes with the request that says who one is")
    func refusal() async throws {
        let heard = Mutex<[String]>([])
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                heard.withLock { $0.append(head.values("cookie").joined()) }
                if head.values("authorization").isEmpty {
                    try connection.respond(
                        "401 Unauthorized",
                        ["WWW-Authenticate: Basic realm=r", "Set-Cookie: gate=1"]
                    )
                } else {
                    try connection.respond(body: "in")
                }
            }
        }
        let session = try URLSession.testing()
        _ = try await session.data(
            from: try url(server.url("/x").replacing("://", with: "://me:pw@"))
        )
        session.finishTasksAndInvalidate()
        #expect(heard.withLock { $0 } == ["", "gate=1"])
    }

    @Test("C-03 the caller's own Cookie is neither overwritten nor joined, and what is set is kept")
    func own() async throws {
        let server = try Server(["a=1; Path=/"])
        let session = try URLSession.testing()
        let page = try url(server.socket.url("/"))
        _ = try await session.data(from: page)
        var request = URLRequest(url: page)
        request.setValue("mine=1", forHTTPHeaderField: "Cookie")
        _ = try await session.data(for: request)
        _ = try await session.data(from: page)
        session.finishTasksAndInvalidate()
        #expect(server.cookies == ["", "mine=1", "a=1"])
    }

    @Test("S-05 httpShouldSetCookies keeps what comes and sends nothing; never sends what there is")
    func settings() async throws {
        let server = try Server(["a=1; Path=/"])
        let kept = try await load(server, times: 2) { $0.httpShouldSetCookies = false }
        #expect(kept.names == ["a"])
        #expect(server.cookies == ["", ""])
        let none = try await load(server) { $0.httpCookieAcceptPolicy = .never }
        #expect(none.names == [])
        let there = try await load(server) { configuration in
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpCookieStorage?.setCookie(cookie("old", domain: "a.example.com"))
        }
        #expect(there.names == ["old"])
        #expect(server.cookies.last == "old=1")
        let stricter = try await load(server) { $0.httpCookieStorage?.cookieAcceptPolicy = .never }
        #expect(stricter.names == [])
    }

    @Test("S-05 a request may do without cookies, a session without a storage")
    func without() async throws {
        let server = try Server(["a=1; Path=/"])
        let page = try url(server.socket.url("/"))
        let session = try URLSession.testing()
        _ = try await session.data(from: page)
        var request = URLRequest(url: page)
        request.httpShouldHandleCookies = false
        session.configuration.httpCookieStorage?.deleteCookie(
            cookie("a", domain: "127.0.0.1")
        )
        _ = try await session.data(for: request)
        #expect(session.configuration.httpCookieStorage?.names == [])
        session.finishTasksAndInvalidate()
        let bare = try URLSession.testing { $0.httpCookieStorage = nil }
        _ = try await bare.data(from: page)
        _ = try await bare.data(from: page)
        bare.finishTasksAndInvalidate()
        #expect(server.cookies == ["", "", "", ""])
    }

    @Test("S-05 only the main document's hosts set cookies where that is the policy")
    func mainDocument() async throws {
        let server = try Server(["a=1"])
        func names(_ document: String?) async throws -> [String] {
            let session = try URLSession.testing { configuration in
                configuration.transport.resolve = ["a.example.com:\(server.socket.port):127.0.0.1"]
            }
            #expect(
                session.configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain
            )
            var request = try request("http://a.example.com:\(server.socket.port)/")
            request.mainDocumentURL = try document.map { try url($0) }
            _ = try await session.data(for: request)
            let names = session.configuration.httpCookieStorage?.names ?? []
            session.finishTasksAndInvalidate()
            return names
        }
        #expect(try await names(nil) == ["a"])
        #expect(try await names("https://example.com/") == ["a"])
        #expect(try await names("https://other.example/") == [])
    }

    @Test("S-03 an ephemeral session's cookies are gone when the last one with them is invalid")
    func ephemeral() async throws {
        let server = try Server(["a=1; Max-Age=1000"])
        let configuration = try URLSessionConfiguration.testing()
        let recorder = RecordingDelegate()
        let first = URLSession(configuration: configuration, delegate: recorder)
        let second = URLSession(configuration: configuration, delegate: recorder)
        _ = try await first.data(from: try url(server.socket.url("/")))
        let storage = try #require(configuration.httpCookieStorage)
        first.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls().contains(.invalid) })
        #expect(storage.names == ["a"])
        second.invalidateAndCancel()
        #expect(await eventually { storage.names == [] })
        // What the caller has brought is the caller's.
        let own = HTTPCookieStorage()
        configuration.httpCookieStorage = own
        let third = URLSession(configuration: configuration, delegate: recorder)
        _ = try await third.data(from: try url(server.socket.url("/")))
        third.invalidateAndCancel()
        #expect(await eventually { recorder.calls().count { $0 == .invalid } == 3 })
        #expect(own.names == ["a"])
    }

    @Test("S-03 so are its cached responses and its credentials")
    func ephemeralStores() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "kept")
            }
        }
        let kept = URLSessionConfiguration.ephemeral
        kept.transport.proxy = .none
        let recorder = RecordingDelegate()
        let session = URLSession(configuration: kept, delegate: recorder)
        let space = URLProtectionSpace(
            host: "h",
            port: 80,
            protocol: "http",
            realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let credentials = try #require(kept.urlCredentialStorage)
        credentials.setDefaultCredential(
            URLCredential(user: "u", password: "p", persistence: .permanent),
            for: space
        )
        let request = try request(server.url("/"))
        _ = try await session.data(for: request)
        #expect(kept.urlCache?.cachedResponse(for: request) != nil)
        session.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls().contains(.invalid) })
        #expect(await eventually { kept.urlCache?.cachedResponse(for: request) == nil })
        #expect(credentials.allCredentials.isEmpty)
        #expect(credentials.defaultCredential(for: space) == nil)
    }

    /// A line, over plain HTTP at a.example.com, and the cookie that it is.
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

    @Test(
        "C-03 a cookie without a path goes to the folder of the page, and to the folder's own name"
    )
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

    @Test("C-03 libcurl says what a server may set", arguments: lines)
    func hostile(line: String, expected: String?) async throws {
        let server = try Server([line])
        let storage = try await load(server)
        let found = storage.cookies?.map { "\($0.name)=\($0.value) \($0.domain) \($0.path)" }
        #expect(found == [expected].compactMap { $0 })
        try server.socket.verify()
    }

    @Test("C-03 no host speaks for a public suffix", arguments: ["co.uk", "com", "github.io"])
    func suffixes(suffix: String) async throws {
        let server = try Server(["a=1; Domain=\(suffix)", "b=1; Domain=x.\(suffix)"])
        let storage = try await load(server, host: "www.x.\(suffix)")
        #expect(storage.names == ["b"])
    }

    @Test("C-03 a cookie of TLS has its prefix and stays there")
    func secure() async throws {
        let storage = HTTPCookieStorage()
        // By its name alone localhost would be as good as TLS.
        storage.setCookie(cookie("a", domain: ".example.com", isSecure: true))
        let server = try Server(["a=2; Domain=example.com", "b=2"])
        let session = try URLSession.testing { configuration in
            configuration.httpCookieStorage = storage
            configuration.transport.resolve = ["a.example.com:\(server.socket.port):127.0.0.1"]
        }
        _ = try await session.data(from: try url("http://a.example.com:\(server.socket.port)/"))
        session.finishTasksAndInvalidate()
        #expect(server.cookies == [""])
        #expect(storage.cookies?.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2"])
    }

    @Test("a host with letters beyond ASCII gets its cookies back")
    func international() async throws {
        let server = try Server(["a=1"])
        let session = try URLSession.testing { configuration in
            configuration.transport.resolve = [
                "xn--bcher-kva.example:\(server.socket.port):127.0.0.1"
            ]
        }
        for host in ["b\u{FC}cher.example", "B%C3%BCcher.example", "xn--bcher-kva.example"] {
            _ = try await session.data(from: try url("http://\(host):\(server.socket.port)/"))
        }
        session.finishTasksAndInvalidate()
        #expect(server.cookies == ["", "a=1", "a=1"])
    }

    @Test("a thousand cookies in one answer are fifty, and the next request is still one")
    func thousand() async throws {
        let server = try Server((0..<900).map { "n\($0)=" + String(repeating: "x", count: 200) })
        let storage = try await load(server, times: 2)
        #expect(storage.names.count == 50)
        let sent = try #require(server.cookies.last)
        #expect(sent.utf8.count <= 8_190)
        #expect(sent.hasPrefix("n0=x"))
    }

    @Test("a cookie lives no longer than 400 days")
    func longest() async throws {
        let server = try Server(["a=1; Max-Age=99999999999"])
        let end = try await load(server).cookies?.first?.expiresDate
        #expect(try #require(end) <= Date(timeIntervalSinceNow: 400 * 86_400))
        #expect(try #require(end) > Date(timeIntervalSinceNow: 399 * 86_400))
    }

    @Test("an interim answer sets nothing, and a host called by another name neither")
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

    @Test("a proxy sets no cookies of a host's by asking who one is")
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

    @Test("a task's cookies are found and kept by the task")
    func tasks() async throws {
        let server = try Server(["a=1; Path=/"])
        let session = try URLSession.testing()
        let task = session.dataTask(with: try url(server.socket.url("/")))
        let storage = try #require(session.configuration.httpCookieStorage)
        storage.storeCookies([cookie("b", domain: "127.0.0.1")], for: task)
        let found = await withCheckedContinuation { continuation in
            storage.getCookiesFor(task) { continuation.resume(returning: $0 ?? []) }
        }
        #expect(found.map(\.name) == ["b"])
        session.invalidateAndCancel()
    }
}

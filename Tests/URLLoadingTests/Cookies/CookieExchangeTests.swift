import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Cookies of sessions", .timeLimit(.minutes(1)))
struct CookieExchangeTests {
    @Test("C-03 cookies are sent back, by host and path, over HTTP/1.1 and HTTP/2")
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

    @Test("T-09 a redirect's cookies are sent with the next request, also where a delegate decides")
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

    @Test("a refusal's cookies are sent with the authenticated request")
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

    @Test(
        "C-03 the caller's own Cookie is neither replaced nor extended, and new cookies are stored"
    )
    func own() async throws {
        let server = try CookieServer(["a=1; Path=/"])
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

    @Test(
        "S-05 httpShouldSetCookies = false stores cookies and sends none; never still sends stored ones"
    )
    func settings() async throws {
        let server = try CookieServer(["a=1; Path=/"])
        let kept = try await server.load(times: 2) { $0.httpShouldSetCookies = false }
        #expect(kept.names == ["a"])
        #expect(server.cookies == ["", ""])
        let none = try await server.load { $0.httpCookieAcceptPolicy = .never }
        #expect(none.names == [])
        let there = try await server.load { configuration in
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpCookieStorage?.setCookie(cookie("old", domain: "a.example.com"))
        }
        #expect(there.names == ["old"])
        #expect(server.cookies.last == "old=1")
        let stricter = try await server.load { $0.httpCookieStorage?.cookieAcceptPolicy = .never }
        #expect(stricter.names == [])
    }

    @Test("S-05 a request may go without cookies, and a session without a storage")
    func without() async throws {
        let server = try CookieServer(["a=1; Path=/"])
        let page = try url(server.socket.url("/"))
        let session = try URLSession.testing()
        _ = try await session.data(from: page)
        var request = URLRequest(url: page)
        request.httpShouldHandleCookies = false
        session.configuration.httpCookieStorage?.deleteCookie(cookie("a", domain: "127.0.0.1"))
        _ = try await session.data(for: request)
        #expect(session.configuration.httpCookieStorage?.names == [])
        session.finishTasksAndInvalidate()
        let bare = try URLSession.testing { $0.httpCookieStorage = nil }
        _ = try await bare.data(from: page)
        _ = try await bare.data(from: page)
        bare.finishTasksAndInvalidate()
        #expect(server.cookies == ["", "", "", ""])
    }

    @Test("S-05 the main document policy stores cookies of its hosts only")
    func mainDocument() async throws {
        let server = try CookieServer(["a=1"])
        func names(_ document: String?) async throws -> [String] {
            let session = try URLSession.testing { configuration in
                configuration.transport.resolve = ["a.example.com:\(server.socket.port):127.0.0.1"]
            }
            #expect(session.configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
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

    @Test("a host beyond ASCII receives its cookies again")
    func international() async throws {
        let server = try CookieServer(["a=1"])
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

    @Test("a storage finds and stores cookies for a task")
    func tasks() async throws {
        let server = try CookieServer(["a=1; Path=/"])
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

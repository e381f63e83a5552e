import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Redirects", .timeLimit(.minutes(1)))
struct RedirectTests {
    @Test(
        "T-09 the client follows redirects without a delegate, relative ones by RFC 3986",
        arguments: ["301", "302", "303", "307", "308", "relative", "rooted"]
    )
    func followed(path: String) async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(try Nginx.shared.url("/redirect/\(path)"))
        )
        #expect(String(decoding: data, as: UTF8.self).contains("uri: /echo/target\n"))
        #expect(response.url?.path == "/echo/target")
    }

    @Test("T-09 the task asks its delegate about each redirect, and follows with its consent")
    func asked() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(try Nginx.shared.url("/redirect/chain/3")))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(
            recorder.calls(task).prefix(4) == [
                .redirect(302, to: "/redirect/chain/2"), .redirect(302, to: "/redirect/chain/1"),
                .redirect(302, to: "/redirect/chain/0"), .response(200),
            ]
        )
        #expect(task.currentRequest?.url?.path == "/redirect/chain/0")
        #expect(task.originalRequest?.url?.path == "/redirect/chain/3")
    }

    @Test("T-09 the delegate may choose another target")
    func replaced() async throws {
        let elsewhere = try url(try Nginx.shared.url("/files/hello.txt"))
        let recorder = RecordingDelegate(.init(redirect: { _ in URLRequest(url: elsewhere) }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(try Nginx.shared.url("/redirect/302")))
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(task.response?.url?.path == "/files/hello.txt")
    }

    @Test(
        "T-09 a delegate that makes a GET of a 307 sends no body, and keeps the session's headers"
    )
    func replacedByGet() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                _ = try connection.readBody(head)
                let isFirst = head.target == "/first"
                try connection.respond(
                    isFirst ? "307 Moved" : "200 OK",
                    isFirst ? ["Location: /next"] : []
                )
            }
        }
        let other = try url(server.url("/other"))
        let recorder = RecordingDelegate(.init(redirect: { _ in URLRequest(url: other) }))
        let session = try URLSession.testing(recorder) {
            $0.httpAdditionalHeaders = ["X-Test": "session"]
        }
        defer { session.finishTasksAndInvalidate() }
        let task = session.uploadTask(
            with: try request(server.url("/first")),
            from: Data("secret".utf8)
        )
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(server.heads.map(\.method) == ["PUT", "GET"])
        #expect(server.heads.last?["Content-Length"] == nil)
        #expect(server.heads.last?["X-Test"] == "session")
    }

    @Test("T-09 a delegate that returns nil gets the redirect's own response in any kind of task")
    func refused() async throws {
        let recorder = RecordingDelegate(.init(redirect: { _ in nil }))
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(try Nginx.shared.url("/redirect/302"))
        let data = session.dataTask(with: address)
        data.resume()
        #expect(await recorder.completion(of: data) == nil)
        #expect(recorder.calls(data)[1] == .response(302))
        #expect(String(decoding: recorder.data(data), as: UTF8.self).contains("302 Found"))
        let download = session.downloadTask(with: address)
        download.resume()
        #expect(await recorder.completion(of: download) == nil)
        #expect(recorder.calls(download).contains(.finished))
    }

    @Test(
        "T-09 a loop and a chain that is too long end with too many redirects",
        arguments: [("loop", 20), ("chain/21", 20), ("chain/6", 5)]
    )
    func tooMany(path: String, most: Int) async throws {
        let session = try URLSession.testing { $0.transport.maximumRedirects = most }
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode {
            _ = try await session.data(from: url(try Nginx.shared.url("/redirect/\(path)")))
        }
        #expect(code == .httpTooManyRedirects)
    }

    @Test("T-09 a 302 without Location is a response, with its body")
    func noLocation() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(
            from: try url(try Nginx.shared.url("/redirect/no-location"))
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(!data.isEmpty)
    }

    @Test(
        "T-09 a target that is no http URL fails without a request",
        arguments: [
            ("file:///etc/passwd", URLError.Code.unsupportedURL),
            ("ftp://127.0.0.1/", .unsupportedURL), ("javascript:alert(1)", .unsupportedURL),
            ("http://", .redirectToNonExistentLocation),
            ("http://127.0.0.1:99999999999999999999/", .redirectToNonExistentLocation),
        ]
    )
    func badTarget(location: String, expected: URLError.Code) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(location)"])
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: url(server.url())) }
        #expect(code == expected)
        #expect(server.requestCount == 1)
    }

    @Test("T-09 the client keeps credentials within their origin")
    func credentials() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "there")
        }
        let target = other.url("/target")
        let first = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let location =
                    head.target == "/one" ? "/two" : target
                try connection.respond("307 Moved", ["Location: \(location)"])
            }
        }
        let session = try URLSession.testing {
            $0.httpAdditionalHeaders = ["Cookie": "session=secret", "X-Test": "kept"]
        }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(first.url("/one"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("Basic secret", forHTTPHeaderField: "Proxy-Authorization")
        _ = try await session.data(for: request)
        #expect(first.heads.map { $0["Authorization"] } == ["Bearer secret", "Bearer secret"])
        #expect(first.heads.map { $0["Cookie"] } == ["session=secret", "session=secret"])
        let there = try #require(other.heads.first)
        #expect(there["Authorization"] == nil)
        #expect(there["Cookie"] == nil)
        #expect(there["Proxy-Authorization"] == nil)
        #expect(there["X-Test"] == "kept")
        #expect(!there.text.contains("secret"))
    }

    @Test("T-09 the client drains a small redirect's body, and reuses its connection")
    func connectionReuse() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let isFirst = head.target == "/first"
                try connection.respond(
                    isFirst ? "302 Found" : "200 OK",
                    isFirst ? ["Location: /second"] : [],
                    body: isFirst ? String(repeating: "x", count: 20_000) : "done"
                )
            }
        }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try url(server.url("/first")))
        #expect(server.requestCount == 2)
        #expect(server.connectionCount == 1)
    }
}

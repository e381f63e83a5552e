import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Recorded heads", .timeLimit(.minutes(1)))
struct RecordedHeadTests {
    private func load(
        _ request: URLRequest,
        _ delegate: MetricsDelegate,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> [URLSessionTaskTransactionMetrics] {
        let session = try URLSession.testing(delegate) { configuration in
            configuration.transport.recordsHeads = true
            change(configuration)
        }
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: request).resume()
        #expect(await eventually { delegate.calls.last == "completed" })
        return delegate.metrics.first?.transactionMetrics ?? []
    }

    @Test("the task records the received bytes, with interim heads, odd spaces and trailers")
    func bytes() async throws {
        let head =
            "HTTP/1.1 200  Fine \r\nX-A:  b \r\nX-Latin: \u{e9}\r\nTransfer-Encoding: chunked"
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let trailer = "X-Trailer: t\r\n"
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(early + head + "\r\n\r\n2\r\nok\r\n0\r\n" + trailer + "\r\n")
        }
        let delegate = MetricsDelegate()
        _ = try await load(try request(server.url()), delegate)
        let heads = delegate.heads
        #expect(heads.hasPrefix(early + head + "\r\n\r\n"))
        #expect(heads.contains(trailer))
    }

    @Test("the request has the sent fields, and the length of its head")
    func requests() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond(body: "ok")
        }
        var request = try request(server.url("/x"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        request.setValue("", forHTTPHeaderField: "X-Empty")
        let transactions = try await load(request, MetricsDelegate())
        let one = try #require(transactions.first)
        let sent = try #require(server.heads.first)
        #expect(one.request.headerFields["Host"] == sent["Host"])
        #expect(one.request.headerFields["Content-Length"] == "4")
        #expect(one.request.headerFields["X-Empty"] == "")
        #expect(one.request.headerFields.fields.map(\.name) == sent.fields.map(\.name))
        #expect(String(decoding: one.hop.requestHead, as: UTF8.self).hasPrefix("POST /x HTTP/1.1"))
        #expect(one.countOfRequestHeaderBytesSent == Int64(one.hop.requestHead.count))
    }

    @Test("the task records HTTP/2 heads in the form of HTTP/1.1")
    func http2() async throws {
        let nginx = try Nginx.shared
        let delegate = MetricsDelegate()
        let transactions = try await load(try request(nginx.http2URL("/echo/heads")), delegate)
        #expect(delegate.heads.hasPrefix("HTTP/2 200 \r\n"))
        #expect(delegate.heads.hasSuffix("\r\n\r\n"))
        let one = try #require(transactions.first)
        #expect(one.request.headerFields["Host"] == "localhost:\(nginx.http2Port)")
    }

    @Test("a tunnel records the proxy's head first, and keeps its request apart from the server's")
    func tunnel() async throws {
        let nginx = try Nginx.shared
        let squid = try Squid.shared
        let delegate = MetricsDelegate()
        let transactions = try await load(try request(nginx.tlsURL("/echo/heads")), delegate) {
            $0.transport.proxy = .url(squid.url(.open))
        }
        let heads = delegate.heads.split(separator: "\r\n\r\n").map { $0.prefix(12) }
        #expect(heads == ["HTTP/1.1 200", "HTTP/1.1 200"])
        let head = String(decoding: transactions.first?.hop.requestHead ?? [], as: UTF8.self)
        #expect(head.hasPrefix("GET /echo/heads HTTP/1.1\r\n"), "\(head)")
    }

    @Test("the task records no heads unless the session asks for them")
    func unasked() async throws {
        let delegate = MetricsDelegate()
        let target = try request(Nginx.shared.url("/echo/heads"))
        let transactions = try await load(target, delegate) { $0.transport.recordsHeads = false }
        #expect(delegate.heads.isEmpty)
        #expect(transactions.first?.hop.requestHead.isEmpty == true)
    }
}

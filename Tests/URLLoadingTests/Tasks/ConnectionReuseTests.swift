import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Reused connections", .timeLimit(.minutes(1)))
struct ConnectionReuseTests {
    @Test("T-01 small HTTP/2 tasks end one after the other beside a long one")
    func besideALongStream() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        _ = try nginx.addLargeFile("h2-long.bin", size: 4 << 20)
        let (long, _) = try await session.bytes(
            from: try url(nginx.http2URL("/slow/h2-long.bin?rate=100000"))
        )
        for _ in 0..<6 {
            let (data, _) = try await session.data(
                from: try url(nginx.http2URL("/files/hello.txt"))
            )
            #expect(!data.isEmpty)
        }
        for size in [10, 300_000, 20] {
            var request = try request(nginx.http2URL("/dav/h2-beside-\(size)"))
            request.httpMethod = "PUT"
            let body = PseudoRandom.bytes(size)
            _ = try await session.upload(for: request, from: Data(body))
            #expect(isSameBytes(nginx.uploaded("h2-beside-\(size)"), body))
        }
        long.task.cancel()
    }

    @Test(
        "T-03 the client does not repeat a POST that a dying connection may have delivered",
        arguments: ["body", nil]
    )
    func notTwice(body: String?) async throws {
        let server = try SocketServer { connection in
            let first = try connection.readHead()
            _ = try connection.readBody(first)
            try connection.respond(body: "first")
            // The server reads the second request whole, and then the connection dies.
            let second = try connection.readHead()
            _ = try connection.readBody(second)
        }
        let session = try URLSession.testing { $0.httpMaximumConnectionsPerHost = 1 }
        defer { session.finishTasksAndInvalidate() }
        var request = try request(server.url())
        request.httpMethod = "POST"
        request.httpBody = body.map { Data($0.utf8) }
        _ = try await session.data(from: try url(server.url("/first")))
        let got = await errorCode { _ = try await session.data(for: request) }
        let posts = server.heads.filter { $0.method == "POST" }
        if body == nil {
            // The request had its own connection from the start.
            #expect(got == nil)
        } else {
            #expect(got == .networkConnectionLost)
        }
        #expect(posts.count == 1)
    }

    @Test("S-05 the client takes the response after the upgrade to HTTP/2 on a plain connection")
    func upgraded() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            #expect(head["Upgrade"] == "h2c")
            try connection.respond("404 Not Found", body: "no upgrade here")
        }
        let session = try URLSession.testing { $0.transport.httpVersion = .http2 }
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url(server.url()))
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
        #expect(!data.isEmpty)
        try server.verify()
    }
}

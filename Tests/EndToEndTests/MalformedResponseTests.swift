import TestSupport
import Testing

/// Responses that are not HTTP, or barely.
@Suite("Malformed responses", .timeLimit(.minutes(1)))
struct MalformedResponseTests {
    private static func server(_ response: [UInt8]) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(response)
        }
    }

    @Test(
        "T-14 a malformed response is status 7, with one line and no file",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "just some text", "<html></html>\r\n\r\n",
            " HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\n Content-Length: 4\r\n\r\nbody",
            "HTTP/1.1 100 Continue\r\n\tX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 OK\r\n\r\nbody", "HTTP/1.1 99 Low\r\n\r\nbody", "HTTP/9.9 200 OK\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody1",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-4\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "FFFFFFFFFFFFFFFFF\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "x", count: 1_100_000) + "\r\n\r\n",
        ]
    )
    func refused(response: String) async throws {
        let server = try Self.server(Array(response.utf8))
        let folder = try TemporaryFolder("malformed")
        try folder.write("old", to: "out")
        let result = try await FetchProcess.run("-O", "out", server.url(), in: folder)
        #expect(result.status == 7, "\(result)")
        #expect(result.blames(server.url()).count == 1)
        #expect(folder.names() == ["out"])
        #expect(folder.readText("out") == "old")
        try server.verify()
    }

    @Test(
        "fetch accepts a response that is unusual but unambiguous",
        arguments: [
            "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 200 \r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody",
            "HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\ncontent-length:4\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2;x=y\r\nbo\r\n2\r\ndy\r\n0\r\nX-Trailer: t\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0004\r\nbody\r\n0\r\n\r\n",
            "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
            "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\nbody",
            "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nbody",
        ]
    )
    func understood(response: String) async throws {
        let server = try Self.server(Array(response.utf8))
        let result = try await FetchProcess.run("-O", "out", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("out") == "body")
        try server.verify()
    }

    @Test("fetch shows a header in Latin-1 without harm")
    func latin1() async throws {
        let head = Array(
            "HTTP/1.1 200 Gar\u{e7}on\r\nX-A: caf".unicodeScalars.map { UInt8($0.value) }
        )
        let server = try Self.server(
            head + [0xE9] + Array("\r\nContent-Length: 4\r\n\r\nbody".utf8)
        )
        let result = try await FetchProcess.run("-S", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "body")
        #expect(result.stderr.contains("X-A: caf\u{e9}"))
    }

    @Test("a response to HEAD has no body, whatever its fields announce")
    func headWithBody() async throws {
        let server = try Self.server(Array("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n".utf8))
        let result = try await FetchProcess.run("-I", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n")
    }

    @Test("a 204 and a 304 have no body, whatever their fields announce", arguments: [204, 304])
    func noBody(status: Int) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status) X\r\nContent-Length: 400\r\n\r\n")
            try connection.waitForPeerToClose()
        }
        let result = try await FetchProcess.run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout == [])
    }
}

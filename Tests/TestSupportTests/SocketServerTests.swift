import Foundation
import TestSupport
import Testing

@Suite
struct SocketServerTests {
    private let request = "GET /path HTTP/1.1\r\nHost: h\r\nx-tWo: 1\r\nX-Two:  2 \r\n\r\n"

    @Test
    func readsHeads() throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond("404 Not Found", ["X-A: b"], body: head.values("X-TWO").joined())
        }
        let response = try RawClient.exchange(port: server.port, request)
        #expect(response.text == "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-A: b\r\n\r\n12")
        #expect(server.heads.map(\.target) == ["/path"])
        #expect(server.heads.first?["HOST"] == "h")
        #expect(server.connectionCount == 1)
        #expect(server.errors.isEmpty)
        try server.verify()
    }

    @Test
    func sendsTooLittle() throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        let response = try RawClient.exchange(port: server.port, request)
        #expect(response.text.hasSuffix("\r\n\r\nabc"))
        #expect(response.error == 0)
    }

    @Test
    func resets() throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            connection.reset()
        }
        #expect(try RawClient.exchange(port: server.port, request).error == ECONNRESET)
    }

    @Test
    func readsChunkedBodies() throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: connection.readBody(head))
        }
        let response = try RawClient.exchange(
            port: server.port,
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
        )
        #expect(response.text.hasSuffix("\r\n\r\nabc0123456789"), "\(server.errors)")
    }

    @Test
    func keepsConnections() throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.respond(body: "\(connection.number)\(head.target)")
                if head.target == "/b" { connection.finishSending() }
            }
        }
        let response = try RawClient.exchange(
            port: server.port,
            "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n"
        )
        #expect(response.text.contains("0/a"))
        #expect(response.text.contains("0/b"))
        #expect(server.requestCount == 2)
        #expect(server.connectionCount == 1)
    }

    @Test
    func sendsSlowly() throws {
        let server = try SocketServer { connection in
            try connection.sendSlowly("abcdef", piece: 2, every: .milliseconds(20))
        }
        let clock = ContinuousClock()
        let time = try clock.measure {
            let response = try RawClient.exchange(port: server.port, "")
            #expect(response.text == "abcdef")
        }
        #expect(time >= .milliseconds(40))
    }

    @Test
    func listensOnIPv6() throws {
        let server = try SocketServer(ipv6: true) { try $0.respond(body: "six") }
        #expect(server.url("/a") == "http://[::1]:\(server.port)/a")
        let response = try RawClient.exchange(port: server.port, ipv6: true, "")
        #expect(response.text.hasSuffix("six"))
    }

    @Test
    func neverCalledIsAFailure() throws {
        let server = try SocketServer { _ in }
        #expect(!server.wasCalled)
        #expect(throws: TestSupportError.self) { try server.verify() }
    }

    @Test
    func endsWithItsLastReference() async throws {
        var server: SocketServer? = try SocketServer { try $0.waitForPeerToClose() }
        let port = try #require(server?.port)
        async let response = Task.detached { try RawClient.exchange(port: port, request) }.value
        #expect(await eventually { server?.wasCalled == true })
        server = nil
        // The connection ends at once, and no server listens any longer.
        _ = try await response
        #expect(
            try await eventually {
                try RawClient.exchange(port: port, "").error == ECONNREFUSED
            }
        )
    }

    @Test
    func refusesOnceStoppedAndKeepsItsPort() throws {
        let server = try SocketServer { try $0.respond(body: "six") }
        server.stop()
        #expect(try RawClient.exchange(port: server.port, "").error == ECONNREFUSED)
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = UInt16(server.port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(other, $0.baseAddress, length) }
        }
        #expect(result == -1 && errno == EADDRINUSE)
    }
}

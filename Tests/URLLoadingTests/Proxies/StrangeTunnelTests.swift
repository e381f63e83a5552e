import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Proxies that misbehave at CONNECT", .timeLimit(.minutes(1)))
struct StrangeTunnelTests {
    /// The failure of a request to an unreachable origin through a proxy.
    private func failure(
        timeout: TimeInterval = 60,
        _ behavior: @escaping @Sendable (SocketConnection) throws -> Void
    ) async throws -> (URLError?, SocketServer) {
        let proxy = try SocketServer(behavior)
        let session = try URLSession.testing {
            $0.transport.proxy = .url(proxy.url())
            $0.timeoutIntervalForRequest = timeout
        }
        defer { session.invalidateAndCancel() }
        do {
            _ = try await session.data(from: try url("https://origin.example/"))
            return (nil, proxy)
        } catch {
            return (error as? URLError, proxy)
        }
    }

    @Test(
        "a response that opens no tunnel is a failure with its status and words",
        arguments: [
            ("403 Forbidden", URLError.Code.cannotConnectToHost),
            ("502 Bad Gateway", .cannotConnectToHost), ("302 Found", .cannotConnectToHost),
            ("401 Unauthorized", .cannotConnectToHost),
            ("407 Authenticate", .userAuthenticationRequired),
        ]
    )
    func refused(status: String, code: URLError.Code) async throws {
        let (error, proxy) = try await failure { connection in
            _ = try connection.readHead()
            try connection.respond(status, ["Location: http://evil.example/"], body: "words")
        }
        #expect(error?.code == code)
        #expect(error?.detail.hasSuffix("responded \(status) to CONNECT") == true, "\(error)")
        #expect(proxy.heads.map(\.method) == ["CONNECT"])
        #expect(proxy.heads.map(\.target) == ["origin.example:443"])
    }

    @Test("the client does not wait for the endless body of a refusal")
    func endless() async throws {
        let (error, _) = try await failure { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 403 No\r\nContent-Length: 99999\r\n\r\nx")
            try connection.waitForPeerToClose()
        }
        #expect(error?.detail.contains("403 No") == true)
    }

    @Test(
        "a message that is no response is a malformed one",
        arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "{}\n"]
    )
    func garbage(text: String) async throws {
        let (error, _) = try await failure { connection in
            _ = try connection.readHead()
            try connection.send(text)
            connection.finishSending()
        }
        let codes: [URLError.Code] = [.badServerResponse, .networkConnectionLost]
        #expect(error.map { codes.contains($0.code) } == true, "\(error)")
    }

    @Test("the client rejects a head that is too large")
    func large() async throws {
        let (error, _) = try await failure { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 403 No\r\n")
            while true { try connection.send("X: \(String(repeating: "x", count: 1_000))\r\n") }
        }
        #expect(error?.code == .badServerResponse, "\(error)")
    }

    @Test(
        "a proxy that closes in the middle is a lost connection",
        arguments: ["", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nX: y\r\n"]
    )
    func closes(text: String) async throws {
        let (error, _) = try await failure { connection in
            _ = try connection.readHead()
            try connection.send(text)
        }
        let codes: [URLError.Code] = [.networkConnectionLost, .cannotConnectToHost]
        #expect(error.map { codes.contains($0.code) } == true, "\(error)")
    }

    @Test("a silent proxy times out, and the client waits for one that dribbles")
    func slow() async throws {
        let (silent, _) = try await failure(timeout: 0.4) { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        #expect(silent?.code == .timedOut)
        let (dribbling, _) = try await failure(timeout: 10) { connection in
            _ = try connection.readHead()
            try connection.sendSlowly(
                "HTTP/1.1 503 Slow\r\nX: y\r\n\r\n",
                piece: 5,
                every: .milliseconds(20)
            )
        }
        #expect(dribbling?.detail.contains("503 Slow") == true, "\(dribbling)")
    }

    @Test("an interim response before the refusal opens no tunnel")
    func interim() async throws {
        let (error, proxy) = try await failure { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 502 Bad\r\n\r\n")
            try connection.waitForPeerToClose()
        }
        #expect(error?.code == .cannotConnectToHost, "\(error)")
        #expect(proxy.heads.map(\.method) == ["CONNECT"])
    }

    @Test("a tunnel response with a body opens no tunnel to TLS")
    func body() async throws {
        let (error, _) = try await failure { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", [], body: "<html>log in first</html>")
            connection.finishSending()
        }
        #expect(error != nil)
        #expect(error?.code != .userAuthenticationRequired)
    }
}

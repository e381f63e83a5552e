import TestSupport
import Testing

/// Failures before a complete response.
@Suite("Network failures", .timeLimit(.minutes(1)))
struct NetworkFailureTests {
    /// Runs fetch, which must fail with status 4 and one line, and leave no new file.
    private static func fails(
        _ url: String,
        _ name: String,
        arguments: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = try TemporaryFolder("network")
        try folder.write("old", to: "out")
        let result = try await FetchProcess(arguments + ["-t", "1", "-O", "out", url], in: folder)
            .run()
        #expect(result.status == 4, "\(result)", sourceLocation: sourceLocation)
        let blames = result.blames(url)
        #expect(blames.count == 1, "\(result)", sourceLocation: sourceLocation)
        #expect(
            blames.first?.contains("(URLError.\(name))") == true,
            "\(result)",
            sourceLocation: sourceLocation
        )
        #expect(folder.names() == ["out"], sourceLocation: sourceLocation)
        #expect(folder.readText("out") == "old", sourceLocation: sourceLocation)
    }

    @Test("T-14 a refused connection is status 4: cannotConnectToHost")
    func refused() async throws {
        let refusing = try RefusingPort()
        try await Self.fails(refusing.url(), "cannotConnectToHost -1004")
    }

    @Test("T-14 an unknown host is status 4: cannotFindHost")
    func unknownHost() async throws {
        try await Self.fails("http://no-such-host.invalid/", "cannotFindHost -1003")
    }

    @Test("T-14 a connection that ends before the response is status 4: networkConnectionLost")
    func emptyReply() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
        }
        try await Self.fails(server.url(), "networkConnectionLost -1005")
        try server.verify()
    }

    @Test(
        "T-14 a reset before or within the head is status 4",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-"]
    )
    func resetHead(sent: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(sent)
            connection.reset()
        }
        try await Self.fails(server.url(), "networkConnectionLost -1005")
        try server.verify()
    }

    @Test("T-14 a truncated head is status 4")
    func cutHead() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
        }
        try await Self.fails(server.url(), "networkConnectionLost -1005")
        try server.verify()
    }

    @Test("T-14 a reset within the body is status 4")
    func resetBody() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            connection.reset()
        }
        try await Self.fails(server.url(), "networkConnectionLost -1005")
        try server.verify()
    }

    @Test("T-14 a connection that breaks in the TLS handshake is status 4")
    func brokenHandshake() async throws {
        let server = try SocketServer { connection in
            _ = try connection.read(exactly: 5)
            connection.reset()
        }
        try await Self.fails("https://127.0.0.1:\(server.port)/", "networkConnectionLost -1005")
        try server.verify()
    }

    @Test("a reset during an upload is status 4")
    func resetUpload() async throws {
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            _ = try connection.readHead()
            _ = try connection.read(exactly: 1_000)
            connection.reset()
        }
        let folder = try TemporaryFolder("network")
        let file = try folder.writePseudoRandom(size: 4_000_000, to: "large")
        try await Self.fails(
            server.url("/x"),
            "networkConnectionLost -1005",
            arguments: ["--upload-file", file]
        )
        try server.verify()
    }

    @Test("a server that does not speak TLS is status 5")
    func notTLS() async throws {
        let server = try SocketServer { connection in
            _ = try connection.read(exactly: 5)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let url = "https://127.0.0.1:\(server.port)/"
        let result = try await FetchProcess.run(url)
        #expect(result.status == 5, "\(result)")
        #expect(result.blames(url).count == 1)
        try server.verify()
    }

    @Test("fetch replaces a connection that the server has closed, without a message")
    func closedConnection() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        let result = try await FetchProcess.run("-qO-", server.url("/1"), server.url("/2"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "xx")
        #expect(server.connectionCount >= 2)
    }
}

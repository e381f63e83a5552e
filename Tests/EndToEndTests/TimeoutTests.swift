import TestSupport
import Testing

/// Limits on time and speed.
///
/// The tests check minimum durations only: longer ones depend on the machine.
@Suite("Timeouts", .timeLimit(.minutes(1)))
struct TimeoutTests {
    /// A server that sends a text, and then stays silent until the client closes.
    private static func silent(after text: String = "") throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(text)
            try connection.waitForPeerToClose()
        }
    }

    @Test(
        "S-05 -T ends a silent task with status 4, before and within the response",
        arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"]
    )
    func idle(sent: String) async throws {
        let server = try Self.silent(after: sent)
        let result = try await FetchProcess.run("-t", "1", "-T", "300ms", "-O", "out", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(result.blames(server.url()).count == 1)
        #expect(result.stderr.contains("timed out"))
        #expect(result.stderr.contains("(URLError.timedOut -1001)"))
        #expect(result.wallSeconds >= 0.3)
        #expect(result.folder.names() == [])
        #expect(await eventually { server.wasCalled })
    }

    @Test("-T counts from the last byte, so a slow body does not time out")
    func drip() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            try connection.sendSlowly("0123456789", piece: 1, every: .milliseconds(700))
        }
        let result = try await FetchProcess.run("-T", "6", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "0123456789")
        #expect(result.wallSeconds >= 6.2)
    }

    @Test("-T ends an upload that the server does not read")
    func idleUpload() async throws {
        let gate = Gate()
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            _ = try connection.readHead()
            try gate.wait()
        }
        let folder = try TemporaryFolder("idle")
        try folder.writePseudoRandom(size: 16_000_000, to: "large")
        let result = try await FetchProcess.run(
            "-T",
            "500ms",
            "-t1",
            "--upload-file",
            "large",
            server.url("/x"),
            in: folder
        )
        gate.open()
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("(URLError.timedOut -1001)"))
    }

    @Test("S-05 --max-time ends an active task with status 124")
    func maxTime() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while true {
                try connection.send("x")
                connection.pause(.milliseconds(20))
            }
        }
        let result = try await FetchProcess.run("--max-time", "0.5", "-O", "out", server.url())
        #expect(result.status == 124, "\(result)")
        #expect(result.blames(server.url()).count == 1)
        #expect(result.stderr.contains("--max-time"))
        #expect(result.wallSeconds >= 0.5)
        #expect(result.folder.names() == [])
    }

    @Test("--max-time and -T have no effect before they expire")
    func notReached() async throws {
        let result = try await FetchProcess.run(
            "-T",
            "0",
            "--connect-timeout",
            "1h",
            "--max-time",
            "1d",
            "-O",
            "-",
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
    }

    @Test("--connect-timeout ends an incomplete TLS handshake with status 4")
    func connectTimeout() async throws {
        let server = try SocketServer { connection in
            try connection.waitForPeerToClose()
        }
        let url = "https://127.0.0.1:\(server.port)/"
        let result = try await FetchProcess.run("-t", "1", "--connect-timeout", "300ms", url)
        #expect(result.status == 4, "\(result)")
        #expect(result.blames(url).count == 1)
        #expect(result.stderr.contains("(URLError.timedOut -1001)"))
        #expect(result.wallSeconds >= 0.3)
    }

    @Test("--connect-timeout does not include the wait for the response")
    func connectTimeoutIsOver() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            connection.pause(.seconds(3))
            try connection.respond(body: "late")
        }
        let result = try await FetchProcess.run("--connect-timeout", "2", "-O-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "late")
    }

    @Test("--limit-rate slows an upload down")
    func limitRate() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("rate")
        try folder.writePseudoRandom(size: 600_000, to: "up")
        let result = try await FetchProcess.run(
            "--limit-rate",
            "300k",
            "--upload-file",
            "up",
            nginx.url("/dav/timeout-rate"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.wallSeconds >= 0.9, "\(result.wallSeconds)")
        #expect(nginx.uploaded("timeout-rate") == PseudoRandom.bytes(600_000))
    }

    @Test("fetch requests the next URL after a timeout of one")
    func nextURL() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head.target == "/silent" { return try connection.waitForPeerToClose() }
                try connection.respond(body: "next")
            }
        }
        let result = try await FetchProcess.run(
            "-T",
            "6",
            "-t1",
            "-O",
            "-",
            server.url("/silent"),
            server.url("/next")
        )
        #expect(result.status == 4, "\(result)")
        #expect(result.stdoutText == "next", "\(result)")
        #expect(result.blames(server.url("/silent")).count == 1)
    }
}

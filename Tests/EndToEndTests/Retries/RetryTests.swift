import Foundation
import TestSupport
import Testing

/// Retries: their reasons, their times, and their messages.
@Suite("Retries", .timeLimit(.minutes(2)))
struct RetryTests {
    /// Waits that are short enough for a test.
    private static let quick = ["--waitretry", "0.05"]

    /// A server that responds with 503 to a number of connections, and then with the whole body.
    private static func busy(_ times: Int, _ fields: [String] = []) throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            if connection.number < times {
                try connection.respond(
                    "503 Service Unavailable",
                    fields,
                    body: "busy \(connection.number)"
                )
            } else {
                try connection.respond(body: "body")
            }
        }
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(Self.quick + arguments).run()
    }

    @Test("T-15 fetch requests again from a busy server, with a line for each attempt")
    func busy() async throws {
        let server = try Self.busy(2)
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "body")
        #expect(server.requestCount == 3)
        let notes = result.blames(server.url())
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("503 Service Unavailable; trying again in 0.") == true)
        #expect(notes.first?.hasSuffix("(try 2 of 3)") == true)
        #expect(notes.last?.hasSuffix("(try 3 of 3)") == true)
    }

    @Test("T-15 fetch attempts a download again as well, and with -q without a message")
    func download() async throws {
        let server = try Self.busy(2)
        let result = try await run("-q", "-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("file") == "body")
        #expect(result.stderr == "")
    }

    // nginx uses the time at which it last woke. A delay between makes two requests look further apart
    // than they were. It would have to happen twice, by 2 seconds each.
    @Test("T-15 fetch obeys the Retry-After of nginx, which accepts one request in 2 seconds")
    func limited() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("retries-limited", text: "hello")
            .replacing("/files/", with: "/limited/")
        let url = nginx.url(path)
        let result = try await run("-j1", "-O", "-", url, url, url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hellohellohello")
        #expect(result.stderr.contains("503"), "\(result)")
    }

    @Test("the last attempt's response is the result, and fetch writes no earlier body")
    func usedUp() async throws {
        let server = try Self.busy(9)
        let result = try await run("-t", "3", "--content-on-error", "-O", "-", server.url())
        #expect(result.status == 8, "\(result)")
        #expect(result.stdoutText == "busy 2")
        #expect(server.requestCount == 3)
        #expect(
            result.blames(server.url()).last == "503 Service Unavailable; given up after 3 tries"
        )
        let other = try Self.busy(9)
        let saved = try await run("-t", "2", "--error-body", "error", "-O", "file", other.url())
        #expect(saved.status == 8, "\(saved)")
        #expect(saved.folder.names() == ["error"])
        #expect(saved.folder.readText("error") == "busy 1")
    }

    @Test(
        "one response is the result where another is not requested, or not permitted",
        arguments: [
            ["-t", "1"], ["--retry-on", "none"], ["--retry-on", "500"], ["-d", "x"],
            ["-d", "x", "-t", "9"], ["-X", "PATCH", "-t", "0"], ["--accept-status", "503"],
        ]
    )
    func once(arguments: [String]) async throws {
        let server = try Self.busy(9, ["Retry-After: 0"])
        let result = try await FetchProcess(Self.quick + arguments + ["-O", "-", server.url()])
            .run()
        #expect(result.status == (arguments.contains("503") ? 0 : 8), "\(result)")
        #expect(server.requestCount == 1)
        #expect(!result.stderr.contains("given up"))
    }

    @Test("T-15 fetch obeys Retry-After exactly", arguments: [true, false])
    func retryAfter(isDate: Bool) async throws {
        let fields =
            isDate
            ? [
                "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                "Retry-After: Sun, 06 Nov 1994 08:49:38 GMT",
            ] : ["Retry-After: 1"]
        let server = try Self.busy(1, fields)
        let start = ContinuousClock.now
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(result.stderr.contains("trying again in 1.0 s"))
    }

    @Test("a Retry-After of more than five minutes is shortened, and a signal ends the wait")
    func capped() async throws {
        let server = try Self.busy(9, ["Retry-After: 7200"])
        let process = try FetchProcess(["-t5", "-O", "file", server.url()]).start()
        try await process.waitForStderr(
            "trying again in 5 min 0 s, although the server asks for 120 min 0 s"
        )
        process.interrupt(SIGINT)
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("fetch begins no wait that would exceed --max-time")
    func maxTime() async throws {
        let server = try Self.busy(9, ["Retry-After: 60"])
        let result = try await run("--max-time", "20", server.url())
        #expect(result.status == 8, "\(result)")
        #expect(server.requestCount == 1)
        #expect(result.stderr.contains("--max-time leaves no time for another"))
    }

    @Test("a POST that the server may have seen is not repeated, and the reason is reported")
    func postSeen() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            connection.reset()
        }
        let result = try await run("-t", "5", "-d", "x", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(server.requestCount == 1)
        #expect(result.stderr.contains("the server may have processed it, so POST is not repeated"))
    }

    @Test("T-15 a POST is repeated if no part of it was sent")
    func postUnseen() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("unseen")
        let process = try FetchProcess(
            [
                "--retry-connrefused", "--waitretry", "0.2", "-t", "0", "-d", "x", "--unix-socket",
                "socket", "http://localhost/status/200",
            ],
            in: folder
        ).start()
        try await process.waitForStderr("(try 3)")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("socket"),
            withDestinationPath: nginx.unixSocketPath
        )
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "status 200\n")
    }

    @Test(
        "fetch attempts a refused connection again only with --retry-connrefused",
        arguments: [true, false]
    )
    func refused(isWanted: Bool) async throws {
        let port = try RefusingPort()
        let result = try await FetchProcess(
            Self.quick + (isWanted ? ["--retry-connrefused"] : [])
                + ["-t", "3", "-O", "-", port.url()]
        ).run()
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("given up after 3 tries") == isWanted)
    }

    /// The way in which a connection fails before or within the response.
    enum Break: CaseIterable {
        case closed, reset, inHead, inBody, silent
    }

    @Test(
        "T-15 a broken connection is made again, for a file and for a pipe",
        arguments: Break.allCases,
        ["-", "file"]
    )
    func broken(how: Break, output: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            guard connection.number == 0 else { return try connection.respond(body: "body") }
            switch how {
            case .closed: break
            case .reset: connection.reset()
            case .inHead: try connection.send("HTTP/1.1 200 OK\r\nContent-")
            case .inBody: try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
            case .silent: try connection.waitForPeerToClose()
            }
        }
        // Only the timeout ends a silence; the second response must arrive within it.
        let timeout = how == .silent ? ["-T", "3"] : []
        let arguments = Self.quick + timeout + ["-O", output, server.url()]
        let result = try await FetchProcess(arguments).run()
        #expect(result.status == 0, "\(result)")
        #expect((output == "-" ? result.stdoutText : result.folder.readText("file")) == "body")
        #expect(server.connectionCount == 2)
    }

    @Test("T-15 an interrupted TLS handshake is begun again")
    func handshake() async throws {
        let nginx = try Nginx.shared
        let port = nginx.http2Port
        let server = try SocketServer { connection in
            guard connection.number > 1 else {
                _ = try connection.read(exactly: 5)
                return connection.reset()
            }
            try Relay(port: port).run(connection)
        }
        let result = try await run(
            "--ca-certificate",
            nginx.certificates.authority,
            "-d",
            "x",
            "-O",
            "-",
            "https://localhost:\(server.port)/status/200"
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "status 200\n")
        #expect(server.connectionCount == 3)
    }

    @Test("fetch makes one attempt at a server with an untrusted certificate")
    func untrusted() async throws {
        let nginx = try Nginx.shared
        let port = nginx.http2Port
        let server = try SocketServer { connection in try Relay(port: port).run(connection) }
        let result = try await run("https://localhost:\(server.port)/status/200")
        #expect(result.status == 5, "\(result)")
        #expect(server.connectionCount == 1)
    }

    @Test(
        "fetch attempts a lookup again without a name server, and not for an unknown name",
        .needs(.networks)
    )
    func names() async throws {
        let network = try IsolatedNetwork()
        try network.serveName("host.test")
        let unknown = try await network.fetch(["-O", "-", "http://none.test/"]).run()
        #expect(unknown.status == 4)
        #expect(unknown.stderr.contains("URLError.cannotFindHost"), "\(unknown)")
        #expect(!unknown.stderr.contains("given up"))
        let result = try await FetchProcess.shell(
            #"exec unshare -rn "$FETCH" -t 3 --waitretry 0.05 -O - http://host.example/"#
        )
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("URLError.notConnectedToInternet"), "\(result)")
        #expect(result.stderr.contains("given up after 3 tries"), "\(result)")
    }
}

import Foundation
import TestSupport
import Testing

/// Limits on the number and duration of attempts, so that a health check or CI step ends in time.
@Suite("Bounds of retries", .timeLimit(.minutes(1)))
struct RetryBoundTests {
    /// A server that responds with an error to a number of connections, and then with the whole body.
    private static func server(
        _ status: String = "503 Busy",
        _ times: Int = 99,
        _ fields: [String] = []
    ) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            if connection.number < times {
                try connection.respond(status, fields, body: "busy")
            } else {
                try connection.respond(body: "body")
            }
        }
    }

    @Test(
        "output that is no file has three attempts, unless -t sets another number",
        arguments: [
            (["-O", "-"], 3), (["-O", "/dev/null"], 3), (["-I"], 3), (["-O", "file"], 5),
            (["-O", "-", "-t", "4"], 4),
        ]
    )
    func tries(arguments: [String], count: Int) async throws {
        let server = try Self.server()
        let result = try await FetchProcess(
            ["-q", "--waitretry", "0.05"] + arguments + [server.url()]
        ).run()
        #expect(result.status == 8, "\(result)")
        #expect(server.requestCount == count)
    }

    @Test(
        "a Retry-After of more than 30 s ends the run, and a hint names the flag that permits the wait"
    )
    func asked() async throws {
        let server = try Self.server("503 Busy", 99, ["Retry-After: 60"])
        let result = try await FetchProcess.run("-q", "-O", "file", server.url())
        #expect(result.status == 8, "\(result)")
        #expect(result.stderr.contains("; the server asks for a wait of 1 min 0 s"), "\(result)")
        #expect(result.stderr.contains("-t N or --max-time SECONDS allows the wait"))
        #expect(server.requestCount == 1)
    }

    @Test("fetch reports a long wait, with -q too", arguments: [["-t5"], ["--max-time", "600"]])
    func said(flags: [String]) async throws {
        let server = try Self.server("503 Busy", 99, ["Retry-After: 60"])
        let process = try FetchProcess(["-q", "-O", "file"] + flags + [server.url()]).start()
        try await process.waitForStderr("trying again in 1 min 0 s")
        process.interrupt(SIGINT)
        #expect(try await process.wait().signal == SIGINT)
        #expect(server.requestCount == 1)
    }

    @Test("--retry-delay fixes the wait, until --retry-max-time is over")
    func delay() async throws {
        let server = try Self.server()
        let start = ContinuousClock.now
        let result = try await FetchProcess.run(
            "-t0",
            "--retry-delay",
            "0.3",
            "--retry-max-time",
            "1",
            "-O-",
            server.url()
        )
        #expect(result.status == 8, "\(result)")
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect((2...4).contains(server.requestCount), "\(server.requestCount)")
        let notes = result.blames(server.url())
        for note in notes.dropLast() { #expect(note.contains("trying again in 0.3 s"), "\(note)") }
        #expect(notes.last?.hasSuffix("; --retry-max-time leaves no time for another") == true)
    }

    @Test("--retry-all-errors makes fetch attempt again after any error", arguments: [true, false])
    func all(isAll: Bool) async throws {
        let server = try Self.server("404 Not Found", 2)
        let flags = isAll ? ["--retry-all-errors"] : []
        let result = try await FetchProcess(
            ["-q", "--waitretry", "0.05", "-O-"] + flags + [server.url()]
        ).run()
        #expect(result.status == (isAll ? 0 : 8), "\(result)")
        #expect(server.requestCount == (isAll ? 3 : 1))
    }

    @Test("an attempt slower than --speed-limit for --speed-time fails")
    func slow() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            try connection.sendSlowly(
                [UInt8](repeating: 0, count: 100_000),
                piece: 10,
                every: .milliseconds(100)
            )
        }
        let result = try await FetchProcess.run(
            "-t1",
            "--speed-limit",
            "1000",
            "--speed-time",
            "1",
            "-O-",
            server.url()
        )
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("URLError.timedOut"), "\(result)")
        #expect(result.stderr.contains("too slow"), "\(result)")
    }
}

import Foundation
import Synchronization
import TestSupport
import Testing

/// Several URLs in one run.
@Suite("Many URLs", .timeLimit(.minutes(1)))
struct ManyURLsTests {
    private var nginx: Nginx { get throws { try Nginx.shared } }

    /// Responds to each target with the target as the body; to `/gated` only once the gate is open.
    static func server(_ gate: Gate, gated: String = "/gated") throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head.target == gated { try gate.wait() }
                try connection.respond(body: "[\(head.target)]")
            }
        }
    }

    @Test("bodies are written in the order of the URLs, though the first arrives last")
    func order() async throws {
        let gate = Gate()
        let server = try Self.server(gate)
        let urls = ["/gated", "/2", "/3", "/4", "/5", "/6"].map { server.url($0) }
        let process = try FetchProcess(["-q", "-j3", "-O-"] + urls).start()
        #expect(await eventually { server.heads.contains { $0.target == "/3" } })
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "[/gated][/2][/3][/4][/5][/6]")
    }

    @Test("a large body that waits for another is suspended, and arrives whole")
    func large() async throws {
        let gate = Gate()
        let size = 32 << 20
        let sent = Mutex(0)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "/large" else {
                try gate.wait()
                return try connection.respond(body: "first")
            }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<size / piece.count {
                try connection.send(piece)
                sent.withLock { $0 += piece.count }
            }
        }
        let process = try FetchProcess(["-q", "-O-", server.url("/1"), server.url("/large")])
            .start()
        #expect(await eventually { sent.withLock { $0 } >= 1 << 20 })
        // The kernel's buffers and the window hold much less than the whole body.
        #expect(sent.withLock { $0 } < size)
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.count == size + 5)
        #expect(result.stdout.prefix(6).elementsEqual("firstx".utf8))
    }

    @Test("at most N tasks run at once")
    func limit() async throws {
        let gate = Gate()
        let under = Mutex((now: 0, most: 0))
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                under.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                try gate.wait()
                under.withLock { $0.now -= 1 }
                try connection.respond(body: "x")
            }
        }
        let urls = (1...12).map { server.url("/\($0)") }
        let process = try FetchProcess(["-q", "-j3", "-O-"] + urls).start()
        #expect(await eventually { under.withLock { $0.now } == 3 })
        for _ in urls { gate.open() }
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == String(repeating: "x", count: 12))
        #expect(under.withLock { $0.most } == 3)
    }

    @Test("the gravest status counts, and one line summarizes the run")
    func worst() async throws {
        let nginx = try nginx
        let refusing = try RefusingPort()
        let result = try await FetchProcess.run(
            nginx.url("/files/hello.txt"),
            nginx.url("/status/404"),
            refusing.url("/")
        )
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("\(nginx.url("/files/hello.txt")) -> hello.txt: 14 B in"))
        let last = try #require(result.stderrLines.last)
        #expect(last.hasPrefix("1 of 3 URLs fetched, 2 failed; 14 B in "), "\(result)")
    }

    @Test("the summary counts a file that is kept as unchanged, not as fetched")
    func unchanged() async throws {
        let nginx = try nginx
        let folder = try TemporaryFolder("unchanged")
        try folder.write("old", to: "hello.txt")
        try nginx.addFile("summary.txt", text: "new")
        let result = try await FetchProcess.run(
            "-nc",
            nginx.url("/files/hello.txt"),
            nginx.url("/files/summary.txt"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        let last = try #require(result.stderrLines.last)
        #expect(last.hasPrefix("1 of 2 URLs fetched, 1 unchanged; "), "\(result)")
    }

    @Test("--fail-early ends the running tasks, and begins no more")
    func failEarly() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/bad" { return try connection.respond("404 Not Found", body: "no") }
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 100000\r\n\r\n")
            try connection.send([UInt8](repeating: 1, count: 50_000))
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("many")
        let process = try FetchProcess(
            ["--fail-early", "-j2", "-i", "-", server.url("/long")],
            in: folder,
            input: .pipe
        ).start()
        #expect(await eventually { folder.size("long.part") ?? 0 > 0 })
        try await process.write("\(server.url("/bad"))\n")
        let result = try await process.wait()
        #expect(result.status == 8, "\(result)")
        #expect(folder.names() == ["long.part", "long.part.resume"])
        #expect(result.stderr.contains("\(server.url("/long")): cancelled"), "\(result)")
        #expect(
            result.stderrLines.last?.hasPrefix("0 of 2 URLs fetched, 1 failed, 1 cancelled") == true
        )
    }

    @Test("T-08 a signal leaves a continuable part of every download")
    func signal() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 100000\r\n\r\n")
            try connection.send([UInt8](repeating: 1, count: 50_000))
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("many")
        let process = try FetchProcess((1...4).map { server.url("/f\($0)") }, in: folder).start()
        #expect(await eventually { (1...4).allSatisfy { folder.size("f\($0).part") ?? 0 > 0 } })
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(folder.names().count == 8, "\(folder.names())")
        #expect((1...4).allSatisfy { folder.exists("f\($0).part.resume") })
    }

    @Test("a closed standard output ends all tasks without a message")
    func closedPipe() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            while true { try connection.send([UInt8](repeating: 65, count: 64 << 10)) }
        }
        let result = try await FetchProcess.shell(
            #"{ "$FETCH" -q -O- "$1" "$2"; echo "$?" >status; } | head -c 10"#,
            server.url("/1"),
            server.url("/2")
        )
        #expect(result.stderr.isEmpty, "\(result)")
        #expect(result.stdoutText == "AAAAAAAAAA")
        #expect(result.folder.readText("status") == "141\n")
    }
}

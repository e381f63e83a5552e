import Foundation
import TestSupport
import Testing

/// Signals that ask the program to stop.
@Suite("Signals", .timeLimit(.minutes(1)))
struct SignalTests {
    /// A server that sends half a body and then waits until the client closes.
    private static func halfway() throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
    }

    @Test(
        "a signal ends the program by that signal, and the file with the name is unchanged",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func dies(signal: Int32) async throws {
        let server = try Self.halfway()
        let folder = try TemporaryFolder("signal")
        try folder.write("old", to: "file")
        let process = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        process.interrupt(signal)
        let result = try await process.wait()
        #expect(result.signal == signal, "\(result)")
        #expect(result.status == nil)
        #expect(folder.readText("file") == "old")
    }

    @Test("a signal before the response ends the program by that signal")
    func beforeTheHead() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let process = try FetchProcess(["-O", "file", server.url()]).start()
        #expect(await eventually { server.requestCount == 1 })
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("a signal during the wait for standard input ends the program by that signal")
    func waitingForInput() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
        }
        let process = try FetchProcess(["--upload-file", "-", server.url("/x")], input: .pipe)
            .start()
        #expect(await eventually { server.requestCount == 1 })
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test("a signal ends the program while standard output is not read")
    func blockedOutput() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("signal-blocked", size: 8_000_000)
        let folder = try TemporaryFolder("signal")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        // A reader that reads nothing; open(2) with both rights does not wait for a writer.
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell: #"exec "$FETCH" -O - "$1" >fifo"#,
            [nginx.url(path)],
            in: folder
        ).start()
        let isFull = await eventually {
            var waiting: Int32 = 0
            return ioctl(reader, UInt(FIONREAD), &waiting) == 0 && waiting >= 65_536
        }
        #expect(isFull)
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test(
        "one signal ends the program while standard error is not read",
        arguments: ["--events json", "-vv", "-nv"]
    )
    func blockedError(flags: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"e\"\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("signal")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell:
                #"head -c 65536 /dev/zero >fifo; exec "$FETCH" \#(flags) -O file "$1" 2>fifo"#,
            [server.url()],
            in: folder
        ).start()
        #expect(await eventually { folder.exists("file.part") })
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
        // The part can be continued, though no message could be printed.
        #expect(folder.exists("file.part.resume"))
    }

    @Test("a reader of --dump-header that reads nothing does not keep a signal from ending the run")
    func blockedHeads() async throws {
        let nginx = try Nginx.shared
        let path = "/files/hello.txt?blocked-heads"
        let folder = try TemporaryFolder("signal")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell:
                #"head -c 65536 /dev/zero >fifo; exec "$FETCH" -q -D fifo -O /dev/null "$1" "$1""#,
            [nginx.url(path)],
            in: folder
        ).start()
        #expect(await eventually { !nginx.accessLog(path).isEmpty })
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
    }

    @Test("the files of several URLs are complete with blocked readers, and one signal is enough")
    func blockedBoth() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("signal-both", size: 2_000_000)
        let folder = try TemporaryFolder("signal")
        #expect(mkfifo(folder.path("out"), 0o600) == 0)
        #expect(mkfifo(folder.path("err"), 0o600) == 0)
        let readers = ["out", "err"].map { open(folder.path($0), O_RDWR | O_CLOEXEC) }
        defer { for reader in readers { close(reader) } }
        let process = try FetchProcess(
            shell: #"""
                head -c 65536 /dev/zero >err
                exec "$FETCH" -v -O - "$1" -O one "$1" -O two "$1" >out 2>err
                """#,
            [nginx.url(path)],
            in: folder
        ).start()
        #expect(await eventually { folder.exists("one") && folder.exists("two") })
        process.interrupt(SIGINT)
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test("no further task begins while a reader of standard error is far behind")
    func farBehind() async throws {
        let total = 400
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["X: " + String(repeating: "x", count: 8_000)])
        }
        let folder = try TemporaryFolder("signal")
        let urls = (0..<total).map { server.url("/\($0)") + "\n" }
        _ = try folder.write(urls.joined(), to: "list")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell: #"exec "$FETCH" -v --tries 1 -P saved -i list 2>fifo"#,
            [],
            in: folder
        ).start()
        // One MiB of messages is kept, which are the heads of some 130 responses.
        var (last, repeats) = (0, 0)
        let isWaiting = await eventually {
            let count = server.requestCount
            repeats = count == last ? repeats + 1 : 0
            last = count
            return count > 100 && repeats > 20
        }
        #expect(isWaiting && last < total, "\(last) requests")
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
    }

    @Test("several signals at once, as from a terminal and a parent, leave a continuable part")
    func repeated() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"e\"\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        // The progress of the first signal's handling when the second arrives is random.
        for _ in 0..<5 {
            let folder = try TemporaryFolder("signal")
            let process = try FetchProcess(["-q", "-O", "file", server.url()], in: folder).start()
            #expect(await eventually { folder.exists("file.part") })
            process.interrupt(SIGTERM)
            process.interrupt(SIGHUP)
            process.interrupt(SIGTERM)
            // The kernel delivers pending signals in the order of their numbers.
            let signal = try #require(try await process.wait().signal)
            #expect([SIGTERM, SIGHUP].contains(signal))
            #expect(folder.names().sorted() == ["file.part", "file.part.resume"])
        }
    }

    @Test("a signal that is ignored at the start stays ignored, as nohup requires")
    func ignored() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try gate.wait()
            try connection.respond(body: "whole")
        }
        let process = try FetchProcess(
            shell: #"trap '' HUP INT; exec "$FETCH" -qO - "$1""#,
            [server.url()]
        ).start()
        #expect(await eventually { server.requestCount == 1 })
        process.interrupt(SIGHUP)
        process.interrupt(SIGINT)
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "whole")
    }

    @Test("fetch does not request the next URL after a signal")
    func severalURLs() async throws {
        let server = try Self.halfway()
        let process = try FetchProcess(["-qj1", "-O-", server.url("/1"), server.url("/2")]).start()
        try await process.waitForStdout(bytes: 4)
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(server.heads.map(\.target) == ["/1"])
    }
}

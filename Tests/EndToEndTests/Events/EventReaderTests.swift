import Foundation
import TestSupport
import Testing

/// Readers of events that are slow, never read, or close; and signals meanwhile.
@Suite("Readers of events", .timeLimit(.minutes(2)))
struct EventReaderTests {
    @Test("a FIFO without a reader does not delay the download, and has all events afterwards")
    func readLate() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("events-late", size: 50_000_000)
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let process = try FetchProcess(
            ["--events-file", "fifo", "-O", "out", nginx.url(path)],
            in: folder
        ).start()
        // The download is complete before the reader reads.
        let bytes = await fifo.readAll(of: process) { folder.size("out") == 50_000_000 }
        let events = try Events(bytes)
        #expect(try await process.wait().status == 0)
        #expect(events.violations == [])
        #expect(events.sum("bytesWritten") == 50_000_000)
        #expect(events.names.last == "didBecomeInvalidWithError")
    }

    @Test("a FIFO without a reader does not delay a body with more events than the buffer holds")
    func joined() async throws {
        let nginx = try Nginx.shared
        let size = 1 << 30
        try nginx.addFile("events-joined", bytes: [])
        #expect(truncate("\(nginx.documentRoot)/events-joined", off_t(size)) == 0)
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let process = try FetchProcess(
            shell: #"exec "$FETCH" -q --events-file fifo -O - "$1" >/dev/null"#,
            [nginx.url("/files/events-joined")],
            in: folder,
            timeLimit: .seconds(60)
        ).start()
        let bytes = await fifo.readAll(of: process) {
            nginx.accessLog("/files/events-joined").count == 1
        }
        let events = try Events(bytes)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(events.violations == [])
        #expect(events.timesRise)
        #expect(events.sum("bytesReceived") == size)
        #expect(events.sum("calls") > 1)
        #expect(events.named("eventsDropped").isEmpty)
        #expect(result.stderr == "", "\(result)")
    }

    @Test("fetch stops waiting for a reader that never reads, with a warning, also with -q")
    func neverRead() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let path = nginx.url("/echo/never")
        // More than a megabyte, which exceeds the pipe and the buffer.
        let urls = [String](repeating: path, count: 1_500)
        let result = try await FetchProcess(
            ["-q", "--events-file", "fifo", "-O", "/dev/null"] + urls,
            in: folder,
            timeLimit: .seconds(90)
        ).run()
        #expect(result.status == 0, "\(result)")
        let warning = try #require(result.stderrLines.first)
        #expect(result.stderrLines.count == 1)
        let match = try #require(
            warning.wholeMatch(
                of:
                    /fetch: warning: (\d+) events could not be written: fifo: the reader is too slow/
            )
        )
        #expect((Int(match.1) ?? 0) > 1_000)
        #expect(result.wallSeconds >= 5)
        withExtendedLifetime(fifo) {}
    }

    @Test("the place of dropped events has their count")
    func dropped() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let count = 1_500
        let process = try FetchProcess(
            ["--events-file", "fifo", "-qO-"]
                + (1...count).map { nginx.url("/echo/events-dropped/\($0)") },
            in: folder,
            timeLimit: .seconds(90)
        ).start()
        let last = "/echo/events-dropped/\(count)"
        let bytes = await fifo.readAll(of: process) { nginx.accessLog(last).count == 1 }
        let events = try Events(bytes)
        #expect(try await process.wait().status == 0)
        #expect(events.violations == [])
        #expect(events.timesRise)
        #expect(events.named("eventsDropped").count >= 1)
        // Each task has four calls, reported or counted; the session has one more.
        let reported = events.all.reduce(0) { $0 + ($1["count"] ?? $1["calls"] ?? 1) }
        #expect(reported == 4 * count + 1)
    }

    @Test("fetch warns once about a closed reader, and the transfer is not affected")
    func closedReader() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        let folder = try TemporaryFolder("events")
        var fifo: Fifo? = try Fifo("fifo", in: folder)
        let process = try FetchProcess(
            ["--events-file", "fifo", "-q", "-O", "out", server.url()],
            in: folder
        ).start()
        #expect(await eventually { fifo?.readByte() == true })
        fifo = nil
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("out") == "ab")
        #expect(result.stderrLines.count == 1, "\(result)")
        #expect(
            result.stderr.contains(
                /fetch: warning: \d+ events? could not be written: fifo: the reader has closed it\n/
            )
        )
    }

    @Test("a signal ends a run that waits for a FIFO's reader")
    func waitingForReader() async throws {
        let folder = try TemporaryFolder("events")
        try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
        let process = try FetchProcess(
            shell: #"echo begun >&2; exec "$FETCH" --events-file fifo "$1""#,
            ["http://127.0.0.1:1/"],
            in: folder
        ).start()
        try await process.waitForStderr("begun")
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test(
        "the events report a signal as the task's end, in whole lines, also to a blocked reader",
        arguments: [SIGINT, SIGTERM]
    )
    func signals(signal: Int32) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        for name in ["events", "fifo"] {
            let process = try FetchProcess(
                ["--events-file", name, "-O", "file", server.url()],
                in: folder
            ).start()
            #expect(await eventually { folder.exists("file.part") })
            process.interrupt(signal)
            let bytes = name == "fifo" ? await fifo.readAll(of: process) : nil
            let result = try await process.wait()
            #expect(result.signal == signal, "\(result)")
            let events = try Events(bytes ?? folder.read("events"))
            #expect(events.violations == [])
            #expect(
                events.named("didCompleteWithError").first?.object("error")["name"] as? String
                    == "cancelled"
            )
            #expect(events.names.last == "didBecomeInvalidWithError")
        }
    }

    @Test("a signal ends the wait for a reader that does not read")
    func signalAtTheEnd() async throws {
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let result = try await FetchProcess(
            shell: #"""
                head -c 65536 /dev/zero >fifo
                "$FETCH" --events-file fifo -O out "$1" &
                until [ -e out ]; do sleep 0.05; done
                kill -TERM $!
                wait $!
                """#,
            [Nginx.shared.url("/files/hello.txt")],
            in: folder
        ).run()
        // A run that gave up the reader would end by itself.
        #expect(result.status == 128 + SIGTERM, "\(result)")
        withExtendedLifetime(fifo) {}
    }
}

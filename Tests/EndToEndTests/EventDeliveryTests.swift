import Foundation
import Synchronization
import TestSupport
import Testing

/// How events reach those who follow them, and what becomes of those who do not.
@Suite("Delivery of events", .timeLimit(.minutes(2)))
struct EventDeliveryTests {
    @Test("a file of events is its owner's alone; one that is there keeps its mode")
    func mode() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let folder = try TemporaryFolder("events-mode")
        func mode() -> mode_t {
            var status = stat()
            return stat(folder.path("events"), &status) == 0 ? status.st_mode & 0o777 : 0
        }
        for expected in [0o600, 0o640] as [mode_t] {
            let result = try await FetchProcess.shell(
                #"umask 022; exec "$FETCH" -qO /dev/null --events-file events "$1""#,
                url,
                in: folder
            )
            #expect(result.status == 0, "\(result)")
            #expect(mode() == expected)
            chmod(folder.path("events"), 0o640)
        }
    }

    @Test(
        "a shell's descriptor takes events",
        arguments: ["--events-fd 3", "--events-file /dev/fd/3"]
    )
    func descriptor(flags: String) async throws {
        let result = try await FetchProcess.shell(
            #"echo '{}' >events; exec "$FETCH" --events json \#(flags) -O out "$1" 3>>events"#,
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
        // What was there is there.
        let text = try #require(result.folder.readText("events"))
        #expect(text.hasPrefix("{}\n"))
        let events = try Events(Array(text.utf8.dropFirst(3)))
        #expect(events.violations == [], "\(result)")
        #expect(events.names.contains("didFinishDownloadingTo"))
    }

    @Test("a path is told as it is, also one that looks like a URL")
    func pathLikeURL() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-P", "dd//me@x", "--events-fd", "1", url)
        #expect(result.status == 0, "\(result)")
        let finished = try Events(result.stdout).named("didFinishDownloadingTo").first
        let location: String? = finished?["location"]
        #expect(location?.hasSuffix("/me@x/hello.txt.part") == true, "\(location ?? "")")
    }

    @Test("standard output takes events, where the body goes elsewhere")
    func standardOutput() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("--events-fd", "1", "-q", "-O", "out", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr == "")
        let events = try Events(result.stdout)
        #expect(events.violations == [])
        #expect(events.sum("bytesWritten") == 14)
    }

    @Test("a file that is there is emptied, and keeps its mode; a new one is for its owner alone")
    func file() async throws {
        let folder = try TemporaryFolder("events")
        try folder.write("old\nold\n", to: "old")
        #expect(chmod(folder.path("old"), 0o640) == 0)
        for (name, mode) in [("old", 0o640), ("new", 0o600)] as [(String, mode_t)] {
            let result = try await FetchProcess.shell(
                #"umask 027; exec "$FETCH" --events-file "$2" -qO - "$1""#,
                Nginx.shared.url("/files/hello.txt"),
                name,
                in: folder
            )
            #expect(result.status == 0, "\(result)")
            #expect(try Events(folder.read(name)).violations == [])
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0 && status.st_mode & 0o777 == mode)
        }
    }

    @Test("a FIFO that nobody reads holds no download up, and tells all of it afterwards")
    func readLate() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("events-late", size: 50_000_000)
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let process = try FetchProcess(
            ["--events-file", "fifo", "-O", "out", nginx.url(path)],
            in: folder
        ).start()
        // Whole before anybody has read.
        let bytes = await fifo.readAll(of: process) { folder.size("out") == 50_000_000 }
        let events = try Events(bytes)
        #expect(try await process.wait().status == 0)
        #expect(events.violations == [])
        #expect(events.sum("bytesWritten") == 50_000_000)
        #expect(events.names.last == "didBecomeInvalidWithError")
    }

    @Test("nor a body for standard output, of which there is more to tell than is kept")
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

    @Test("a reader that never reads is given up at the end, with a warning, -q or not")
    func neverRead() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        let path = nginx.url("/echo/never")
        // A megabyte and more, which neither the pipe nor the buffer takes.
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
                of: /fetch: warning: (\d+) events could not be told: fifo: nobody reads/
            )
        )
        #expect((Int(match.1) ?? 0) > 1_000)
        #expect(result.wallSeconds >= 5)
        withExtendedLifetime(fifo) {}
    }

    @Test("what has no room is counted where it would stand")
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
        // Each task has four calls, whether told or counted; and then there is the session's.
        let told = events.all.reduce(0) { $0 + ($1["count"] ?? $1["calls"] ?? 1) }
        #expect(told == 4 * count + 1)
    }

    @Test("a reader that has gone is named once, and the transfer is what it was")
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
                /fetch: warning: \d+ events? could not be told: fifo: its reader has gone\n/
            )
        )
    }

    @Test("a full disk is a warning, and the transfer's own status")
    func fullDisk() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("--events-file", "/dev/full", "-O", "out", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("out") == "Hello, world!\n")
        #expect(
            result.stderrLines.last?.hasSuffix(
                "could not be told: /dev/full: No space left on device"
            ) == true,
            "\(result)"
        )
        let missing = try Nginx.shared.url("/status/404")
        let failed = try await FetchProcess.run("--events-file", "/dev/full", missing)
        #expect(failed.status == 8, "\(failed)")
    }

    // The thread sanitizer maps a file of its own, which may not grow either.
    @Test(
        "a file that may not grow further ends with a whole line",
        .enabled(if: Sanitizer.name != "thread")
    )
    func cutFile() async throws {
        let url = try Nginx.shared.url("/echo/cut")
        let result = try await FetchProcess.shell(
            #"""
            ulimit -f 8
            exec "$FETCH" --events-file events -qO - "$1" "$1" "$1" "$1" "$1" "$1"
            """#,
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("could not be told: events: File too large\n"), "\(result)")
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        #expect(!events.all.isEmpty)
        #expect(events.named("didBecomeInvalidWithError").isEmpty)
    }

    @Test("events and a file that cannot be opened are status 3, and nothing is sent")
    func unopened() async throws {
        let server = try SocketServer { _ in }
        for path in ["missing/events", "."] {
            let result = try await FetchProcess.run("--events-file", path, server.url())
            #expect(result.status == 3, "\(result)")
            #expect(result.stderrLines.count == 1, "\(result)")
        }
        #expect(!server.wasCalled)
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
        "a signal is told as the task's end, in whole lines, also to one who does not read",
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

    @Test("a signal ends the wait for a reader who does not read")
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
        // Had it given the reader up, it would have ended by itself.
        #expect(result.status == 128 + SIGTERM, "\(result)")
        withExtendedLifetime(fifo) {}
    }

    @Test("several processes that append to one file do not mix their lines")
    func sharedFile() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"""
            for n in 1 2 3 4; do
                "$FETCH" --events-fd 3 -qO - "$@" 3>>events >/dev/null & pids="$pids $!"
            done
            for pid in $pids; do wait "$pid" || exit; done
            """#,
            nginx.url("/echo/shared/1"),
            nginx.url("/echo/shared/2"),
            nginx.url("/echo/shared/3")
        )
        #expect(result.status == 0, "\(result)")
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        #expect(events.named("didBecomeInvalidWithError").count == 4)
        let processes = Set(events.all.compactMap { $0["pid"] as Int? })
        #expect(processes.count == 4)
    }
}

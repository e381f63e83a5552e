import Foundation
import TestSupport
import Testing

/// Transfers that outlive the command.
@Suite("Background sessions", .timeLimit(.minutes(3)))
struct BackgroundTests {
    private let scene: BackgroundScene

    init() throws {
        scene = try BackgroundScene()
    }

    @Test("B-01 what was queued comes, though the command has ended; B-02 and is told once")
    func outlives() async throws {
        let nginx = try Nginx.shared
        let paths = try (1...3).map { number in
            try nginx.addLargeFile("background-\(number)", size: 300_000, seed: UInt64(number))
        }
        let queued = try await scene.queue(
            "-P",
            "into",
            nginx.url(paths[0]),
            nginx.url(paths[1]),
            nginx.url(paths[2])
        )
        #expect(queued.status == 0, "\(queued)")
        #expect(queued.stdoutText == "session\n")
        for number in 1...3 {
            let name = "into/background-\(number)"
            #expect(await eventually { scene.folder.size(name) == 300_000 })
            let bytes = PseudoRandom.bytes(300_000, seed: UInt64(number))
            #expect(isSameBytes(scene.folder.read(name), bytes))
        }
        #expect(await scene.transfersEnd())
        #expect(try await scene.list().hasPrefix("session: done"))
        let told = try await scene.attach()
        #expect(told.status == 0, "\(told)")
        let events = try scene.events()
        #expect(events.violations == [])
        #expect(events.named("didFinishDownloadingTo").count == 3)
        #expect(events.named("didCompleteWithError").count == 3)
        #expect(events.named("didFinishEvents").count == 1)
        let numbers: [Int] = events.all.compactMap { $0["sequence"] }
        #expect(numbers == Array(1...7))
        #expect(events.all.allSatisfy { $0["isRedelivery"] != true })
        #expect(await eventually { scene.isGone })
        #expect(try await scene.list() == "")
        let again = try await scene.attach()
        #expect(again.status == 1)
        #expect(again.stderr.contains("there is no background session"), "\(again)")
    }

    @Test("B-02 whoever attaches while it goes on sees it through")
    func follows() async throws {
        let bytes = PseudoRandom.bytes(800_000)
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            try connection.send(Array(bytes[..<400_000]))
            try gate.wait()
            try connection.send(Array(bytes[400_000...]))
        }
        try await scene.queue("-O", "file", server.url())
        let follower = try scene.command(
            ["--attach", scene.session, "--events-file", "events", "--progress", "lines"]
        ).start()
        #expect(
            try await eventually {
                try await scene.list().contains("followed by process \(follower.processID)")
            }
        )
        gate.open()
        let told = try await follower.wait()
        #expect(told.status == 0, "\(told)")
        #expect(told.stderr.contains("file"))
        #expect(isSameBytes(scene.folder.read("file"), bytes))
        #expect(try !scene.events().named("didWriteData").isEmpty)
        #expect(await eventually { scene.isGone })
    }

    @Test("B-02 the machine went down: it goes on where it stood when somebody attaches")
    func restart() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("background-restart", size: 3_000_000)
        let slow = path.replacingOccurrences(of: "/files/", with: "/slow-at-first/")
        try await scene.queue("-O", "file", nginx.url(slow + "?rate=100000"))
        let isUnderWay = await eventually {
            // What is needed to go on is on the disk.
            scene.folder.names().contains { $0.hasSuffix(".part.resume") }
        }
        #expect(isUnderWay)
        scene.killTransfers()
        // What was in the runtime folder is gone with the machine.
        try? FileManager.default.removeItem(atPath: scene.home.path("fetch"))
        #expect(try await scene.list().contains("--background-resume"))
        let told = try await scene.attach()
        #expect(told.status == 0, "\(told)")
        #expect(isSameBytes(scene.folder.read("file"), PseudoRandom.bytes(3_000_000)))
        #expect(scene.folder.names().sorted() == ["events", "file"])
        let requests = await nginx.accessLog(slow, waitingFor: 2)
        #expect(requests.map(\.status) == [200, 206])
    }

    @Test("B-03 one command is attached at a time, and the other is told by whom")
    func oneAtATime() async throws {
        let server = try Self.halfway()
        try await scene.queue("-O", "file", server.url())
        let first = try scene.command(["--attach", scene.session, "-vv"]).start()
        #expect(await eventually { server.requestCount == 1 })
        #expect(
            try await eventually {
                try await scene.list().contains("followed by process \(first.processID)")
            }
        )
        let second = try await scene.fetch(["--attach", scene.session])
        #expect(second.status == 1, "\(second)")
        #expect(second.stderr.contains("process \(first.processID)"), "\(second)")
        first.interrupt()
        let ended = try await first.wait()
        #expect(ended.signal == SIGINT)
        #expect(ended.stderr.contains("the session goes on"), "\(ended)")
        #expect(scene.transferProcess != nil)
    }

    @Test("who follows for long keeps no zombie of the transfer processes that it has started")
    func zombies() async throws {
        let server = try Self.halfway()
        try await scene.queue("-O", "file", server.url())
        let follower = try scene.command(["--attach", scene.session, "-vv"]).start()
        for requests in 1...3 {
            #expect(await eventually { server.requestCount == requests })
            #expect(
                try await eventually {
                    try await scene.list().contains("followed by process \(follower.processID)")
                }
            )
            let process = try #require(scene.transferProcess)
            scene.killTransfers()
            // The first one was started by who has queued.
            guard requests > 1 else { continue }
            #expect(await eventually { access("/proc/\(process)", F_OK) != 0 })
        }
        follower.interrupt()
        _ = try await follower.wait()
    }

    /// A server that sends half a body and then waits for the client to go.
    private static func halfway() throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
    }

    @Test("held, it waits; then it goes on; cancelled, nothing is left of it")
    func orders() async throws {
        let server = try Self.halfway()
        try await scene.queue("-O", "file", server.url("/x"))
        #expect(await eventually { server.requestCount == 1 })
        #expect(try await scene.fetch(["--background-pause", scene.session]).status == 0)
        #expect(try await eventually { try await scene.list().contains("session: paused") })
        #expect(await scene.transfersEnd())
        #expect(try await scene.fetch(["--background-resume", scene.session]).status == 0)
        #expect(await eventually { server.requestCount == 2 })
        #expect(try await scene.fetch(["--background-cancel", scene.session]).status == 0)
        #expect(await eventually { scene.isGone })
        #expect(await scene.transfersEnd())
        #expect(scene.folder.names() == [])
        let unknown = try await scene.fetch(["--background-pause", scene.session])
        #expect(unknown.status == 1)
    }

    @Test("B-06 when all is done the command runs, and finds out what has come of it")
    func onComplete() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("background-done", text: "done")
        try await scene.queue(
            "--on-complete",
            "env | grep ^FETCH_BACKGROUND | sort >outcome~; mv outcome~ outcome; exit 3",
            "-O",
            "file",
            nginx.url(path),
        )
        #expect(await eventually { scene.folder.exists("outcome") })
        #expect(
            scene.folder.readText("outcome") == """
                FETCH_BACKGROUND_FAILED=0
                FETCH_BACKGROUND_ID=session
                FETCH_BACKGROUND_OUTCOME=success
                FETCH_BACKGROUND_SUCCEEDED=1

                """
        )
        #expect(
            try await eventually { try await scene.list().contains("--on-complete ended with 3") }
        )
    }

    @Test("an error status is a failure: what has the name stays, and the exit status says so")
    func errorStatus() async throws {
        let nginx = try Nginx.shared
        try scene.folder.write("old", to: "file")
        try await scene.queue("-O", "file", nginx.url("/status/404"))
        let told = try await scene.attach()
        #expect(told.status == 8, "\(told)")
        #expect(told.stderr.contains("404"))
        #expect(scene.folder.readText("file") == "old")
        #expect(scene.folder.names().sorted() == ["events", "file"])
    }

    @Test("a password that nobody was there to give is asked for on attaching")
    func credential() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("background-private", text: "secret body")
        let asked = path.replacingOccurrences(of: "/files/", with: "/private/")
        try await scene.queue(
            "--on-complete",
            "echo $FETCH_BACKGROUND_OUTCOME >>outcome",
            "-O",
            "file",
            nginx.url(asked)
        )
        #expect(await eventually { scene.folder.readText("outcome") == "credential\n" })
        #expect(try await scene.list().contains("waits for a password"))
        let told = try await scene.attach("--user", "name:secret")
        #expect(told.status == 0, "\(told)")
        #expect(scene.folder.readText("file") == "secret body")
        for name in scene.home.names() {
            #expect(!(scene.home.readText(name) ?? "").contains("name:secret"))
        }
    }

    @Test("a file is sent as it was when it was queued")
    func upload() async throws {
        let nginx = try Nginx.shared
        try scene.folder.write("as it was", to: "body")
        try await scene.queue("--upload-file", "body", nginx.url("/dav/background-upload"))
        try scene.folder.write("as it is now", to: "body")
        let told = try await scene.attach()
        #expect(told.status == 0, "\(told)")
        #expect(
            nginx.uploaded("background-upload").map { String(decoding: $0, as: UTF8.self) }
                == "as it was"
        )
    }

    @Test("B-07 without a terminal it begins at once")
    func beginsAtOnce() async throws {
        let queued = try await scene.fetch(
            ["-b", "--identifier", scene.session, "http://127.0.0.1:1/x"]
        )
        #expect(queued.status == 0)
        #expect(!queued.stderr.contains("discretionary"), "\(queued)")
        #expect(try !(await scene.list()).contains("discretionary"))
    }

    @Test("a folder that cannot be written is an error of whoever queues")
    func readOnly() async throws {
        try scene.home.write("no folder", to: ".local")
        let queued = try await scene.queue("http://127.0.0.1:1/x")
        #expect(queued.status == 3, "\(queued)")
        #expect(queued.stderr.contains(".local"), "\(queued)")
    }

    @Test(
        "a full disk is an error of whoever queues, and what was queued before is told all the same",
        .needs(.mounts)
    )
    func fullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        let surroundings = ["XDG_STATE_HOME": disk.path]
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond(body: "whole")
        }
        let queueing = ["-b", "--identifier", scene.session]
        let queued = try await scene.fetch(
            queueing + ["-O", "file", server.url()],
            environment: surroundings
        )
        #expect(queued.status == 0, "\(queued)")
        #expect(await eventually { server.requestCount == 1 })
        disk.fill()
        let refused = try await scene.fetch(
            queueing + ["-O", "other", server.url()],
            environment: surroundings
        )
        #expect(refused.status == 3, "\(refused)")
        #expect(refused.stderr.contains("no room"), "\(refused)")
        mayGo.open()
        let told = try await scene.fetch(["--attach", scene.session], environment: surroundings)
        #expect(told.status == 0, "\(told)")
        #expect(scene.folder.readText("file") == "whole")
        #expect(!scene.folder.exists("other"))
    }

    @Test("a journal that is damaged is named with its line, and left alone")
    func damaged() async throws {
        let server = try Self.halfway()
        try await scene.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 })
        scene.killTransfers()
        let journal = "\(scene.place)/journal"
        let text = try #require(scene.home.readText(journal))
        let hurt = text.replacingOccurrences(of: "\"number\":1,", with: "\"number\":9,")
        try #require(chmod(scene.home.path(journal), 0o600) == 0)
        let file = try #require(FileHandle(forWritingAtPath: scene.home.path(journal)))
        try file.write(contentsOf: Data(hurt.utf8))
        try file.close()
        for arguments in [["--attach", scene.session], ["--background-resume", scene.session]] {
            let result = try await scene.fetch(arguments)
            #expect(result.status == 3, "\(result)")
            #expect(result.stderr.contains("line 2"), "\(result)")
        }
        #expect(scene.home.readText(journal) == hurt)
    }
}

import Foundation
import TestSupport
import Testing

/// Transfers that outlive the command.
@Suite("Background sessions", .timeLimit(.minutes(3)))
struct BackgroundTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    @Test("B-01 a queued download completes after the command exits, B-02 and is reported once")
    func outlives() async throws {
        let nginx = try Nginx.shared
        let paths = try (1...3).map { number in
            try nginx.addLargeFile("background-\(number)", size: 300_000, seed: UInt64(number))
        }
        let queued = try await fixture.queue(
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
            #expect(await eventually { fixture.folder.size(name) == 300_000 })
            let bytes = PseudoRandom.bytes(300_000, seed: UInt64(number))
            #expect(isSameBytes(fixture.folder.read(name), bytes))
        }
        #expect(await fixture.transfersEnd())
        #expect(try await fixture.list().hasPrefix("session: done"))
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        let events = try fixture.events()
        #expect(events.violations == [])
        #expect(events.named("didFinishDownloadingTo").count == 3)
        #expect(events.named("didCompleteWithError").count == 3)
        #expect(events.named("didFinishEvents").count == 1)
        let numbers: [Int] = events.all.compactMap { $0["sequence"] }
        #expect(numbers == Array(1...7))
        #expect(events.all.allSatisfy { $0["isRedelivery"] != true })
        #expect(await eventually { fixture.isGone })
        #expect(try await fixture.list() == "")
        let again = try await fixture.attach()
        #expect(again.status == 1)
        #expect(again.stderr.contains("there is no background session"), "\(again)")
    }

    @Test("B-02 a command that attaches during a transfer follows it to its end")
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
        try await fixture.queue("-O", "file", server.url())
        let follower = try fixture.command(
            ["--attach", fixture.session, "--events-file", "events", "--progress", "lines"]
        ).start()
        #expect(
            try await eventually {
                try await fixture.list().contains("followed by process \(follower.processID)")
            }
        )
        gate.open()
        let attached = try await follower.wait()
        #expect(attached.status == 0, "\(attached)")
        #expect(attached.stderr.contains("file"))
        #expect(isSameBytes(fixture.folder.read("file"), bytes))
        #expect(try !fixture.events().named("didWriteData").isEmpty)
        #expect(await eventually { fixture.isGone })
    }

    @Test("B-02 after a restart of the machine a transfer continues when a command attaches")
    func restart() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("background-restart", size: 3_000_000)
        let slow = path.replacingOccurrences(of: "/files/", with: "/slow-at-first/")
        try await fixture.queue("-O", "file", nginx.url(slow + "?rate=100000"))
        let isUnderWay = await eventually {
            // The resume data is on the disk.
            fixture.folder.names().contains { $0.hasSuffix(".part.resume") }
        }
        #expect(isUnderWay)
        fixture.killTransfers()
        // A reboot empties the runtime folder.
        try? FileManager.default.removeItem(atPath: fixture.home.path("fetch"))
        #expect(try await fixture.list().contains("--background-resume"))
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        #expect(isSameBytes(fixture.folder.read("file"), PseudoRandom.bytes(3_000_000)))
        #expect(fixture.folder.names().sorted() == ["events", "file"])
        let requests = await nginx.accessLog(slow, waitingFor: 2)
        #expect(requests.map(\.status) == [200, 206])
    }

    @Test("B-03 a second command that attaches gets an error that names the first one's process")
    func oneAtATime() async throws {
        let server = try Self.halfway()
        try await fixture.queue("-O", "file", server.url())
        let first = try fixture.command(["--attach", fixture.session, "-vv"]).start()
        #expect(await eventually { server.requestCount == 1 })
        #expect(
            try await eventually {
                try await fixture.list().contains("followed by process \(first.processID)")
            }
        )
        let second = try await fixture.fetch(["--attach", fixture.session])
        #expect(second.status == 1, "\(second)")
        #expect(second.stderr.contains("process \(first.processID)"), "\(second)")
        first.interrupt()
        let ended = try await first.wait()
        #expect(ended.signal == SIGINT)
        #expect(ended.stderr.contains("the session continues"), "\(ended)")
        #expect(fixture.transferProcess != nil)
    }

    @Test("a command that stays attached leaves no zombie processes")
    func zombies() async throws {
        let server = try Self.halfway()
        try await fixture.queue("-O", "file", server.url())
        let follower = try fixture.command(["--attach", fixture.session, "-vv"]).start()
        for requests in 1...3 {
            #expect(await eventually { server.requestCount == requests })
            #expect(
                try await eventually {
                    try await fixture.list().contains("followed by process \(follower.processID)")
                }
            )
            let process = try #require(fixture.transferProcess)
            fixture.killTransfers()
            // The queueing command has started the first one, so the follower does not reap it.
            guard requests > 1 else { continue }
            #expect(await eventually { access("/proc/\(process)", F_OK) != 0 })
        }
        follower.interrupt()
        _ = try await follower.wait()
    }

    /// A server that sends half a body, and then waits until the client disconnects.
    static func halfway() throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
    }

    @Test("a paused task waits, a resumed one continues, and a cancelled one leaves no files")
    func orders() async throws {
        let server = try Self.halfway()
        try await fixture.queue("-O", "file", server.url("/x"))
        #expect(await eventually { server.requestCount == 1 })
        #expect(try await fixture.fetch(["--background-pause", fixture.session]).status == 0)
        #expect(try await eventually { try await fixture.list().contains("session: paused") })
        #expect(await fixture.transfersEnd())
        #expect(try await fixture.fetch(["--background-resume", fixture.session]).status == 0)
        #expect(await eventually { server.requestCount == 2 })
        #expect(try await fixture.fetch(["--background-cancel", fixture.session]).status == 0)
        #expect(await eventually { fixture.isGone })
        #expect(await fixture.transfersEnd())
        #expect(fixture.folder.names() == [])
        let unknown = try await fixture.fetch(["--background-pause", fixture.session])
        #expect(unknown.status == 1)
    }

    @Test("B-06 --on-complete runs after the last task, with the numbers of tasks")
    func onComplete() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("background-done", text: "done")
        try await fixture.queue(
            "--on-complete",
            "env | grep ^FETCH_BACKGROUND | sort >outcome~; mv outcome~ outcome; exit 3",
            "-O",
            "file",
            nginx.url(path),
        )
        #expect(await eventually { fixture.folder.exists("outcome") })
        #expect(
            fixture.folder.readText("outcome") == """
                FETCH_BACKGROUND_FAILED=0
                FETCH_BACKGROUND_ID=session
                FETCH_BACKGROUND_OUTCOME=success
                FETCH_BACKGROUND_SUCCEEDED=1

                """
        )
        #expect(
            try await eventually { try await fixture.list().contains("--on-complete ended with 3") }
        )
    }

    @Test("an error status keeps the existing file, and sets the exit status")
    func errorStatus() async throws {
        let nginx = try Nginx.shared
        try fixture.folder.write("old", to: "file")
        try await fixture.queue("-O", "file", nginx.url("/status/404"))
        let attached = try await fixture.attach()
        #expect(attached.status == 8, "\(attached)")
        #expect(attached.stderr.contains("404"))
        #expect(fixture.folder.readText("file") == "old")
        #expect(fixture.folder.names().sorted() == ["events", "file"])
    }

    @Test("--attach asks for a password that was missing during the transfer")
    func credential() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("background-private", text: "secret body")
        let asked = path.replacingOccurrences(of: "/files/", with: "/private/")
        try await fixture.queue(
            "--on-complete",
            "echo $FETCH_BACKGROUND_OUTCOME >>outcome",
            "-O",
            "file",
            nginx.url(asked)
        )
        #expect(await eventually { fixture.folder.readText("outcome") == "credential\n" })
        #expect(try await fixture.list().contains("waits for a password"))
        let attached = try await fixture.attach("--user", "name:secret")
        #expect(attached.status == 0, "\(attached)")
        #expect(fixture.folder.readText("file") == "secret body")
        for name in fixture.home.names() {
            #expect(!(fixture.home.readText(name) ?? "").contains("name:secret"))
        }
    }

    @Test("an upload sends the file as it was when it was queued")
    func upload() async throws {
        let nginx = try Nginx.shared
        try fixture.folder.write("as it was", to: "body")
        try await fixture.queue("--upload-file", "body", nginx.url("/dav/background-upload"))
        try fixture.folder.write("as it is now", to: "body")
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        #expect(
            nginx.uploaded("background-upload").map { String(decoding: $0, as: UTF8.self) }
                == "as it was"
        )
    }

    @Test("the response to an upload goes to its file alone")
    func uploadWithOutput() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(try connection.readHead())
            try connection.respond(body: "reply")
        }
        try fixture.folder.write("sent", to: "body")
        try await fixture.queue("--upload-file", "body", "-O", "file", server.url("/x"))
        #expect(await eventually { fixture.folder.readText("file") == "reply" })
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        #expect(attached.stdout == [], "\(attached)")
        #expect(fixture.folder.readText("file") == "reply")
    }

    @Test("B-07 a session begins at once without a terminal")
    func beginsAtOnce() async throws {
        let queued = try await fixture.fetch(
            ["-b", "--identifier", fixture.session, "http://127.0.0.1:1/x"]
        )
        #expect(queued.status == 0)
        #expect(!queued.stderr.contains("discretionary"), "\(queued)")
        #expect(try !(await fixture.list()).contains("discretionary"))
    }
}

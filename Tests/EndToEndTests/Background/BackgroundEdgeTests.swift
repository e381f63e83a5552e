import Foundation
import TestSupport
import Testing

/// Long requests, empty lists, missing folders, and processes that do not respond.
@Suite("Edge cases of background sessions", .timeLimit(.minutes(3)))
struct BackgroundEdgeTests {
    private let fixture: BackgroundFixture
    /// Takes requests, and responds to none.
    private let silent: SocketServer

    init() throws {
        fixture = try BackgroundFixture()
        silent = try SocketServer { connection in
            _ = try connection.readHead()
            _ = try connection.readHead()
        }
    }

    @Test("long tasks that exceed a frame together are queued and listed")
    func long() async throws {
        let field = "Authorization: Bearer " + String(repeating: "b", count: 4_400)
        let path = String(repeating: "p", count: 4_400)
        for list in ["first", "second"] {
            let urls = (1...260).map { silent.url("/\(path)/\(list)\($0)") + "\n" }
            try fixture.folder.write(urls.joined(), to: list)
            let queued = try await fixture.queue("-i", list, "-P", "into", "-H", field)
            #expect(queued.status == 0, "\(queued)")
        }
        let listed = try await fixture.fetch(["--background-list"])
        #expect(listed.status == 0, "\(listed.stderr)")
        #expect(listed.stdoutText.components(separatedBy: "/\(path)/second").count == 261)
        #expect(try await fixture.fetch(["--background-cancel", fixture.session]).status == 0)
    }

    @Test("a request that is too long for a frame is refused")
    func tooLong() async throws {
        let field = "X-Long: " + String(repeating: "x", count: 100_000)
        let fields = (1...6).flatMap { ["-H", field.replacing("Long", with: "Long-\($0)")] }
        let queued = try await fixture.fetch(
            ["-b", "--identifier", fixture.session, "-O", "file", silent.url()] + fields
        )
        #expect(queued.status == 1, "\(queued.status ?? -1)")
        #expect(queued.stderr.contains("too long for a background session"), "\(queued.stderr)")
        #expect(fixture.isGone)
    }

    @Test(
        "B-07 a discretionary wait ends when the session is resumed, attached, or gets another task",
        arguments: ["--background", "--background-resume", "--attach"]
    )
    func discretion(_ order: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "whole")
        }
        try await fixture.fetch(
            ["-b", "--discretionary", "--identifier", fixture.session, "-O", "file", server.url()]
        )
        #expect(try await fixture.list().contains("discretionary"))
        switch order {
        case "--background": try await fixture.queue("-O", "other", server.url())
        case "--attach": try await fixture.attach()
        default: try await fixture.fetch([order, fixture.session])
        }
        #expect(await eventually { server.requestCount == (order == "--background" ? 2 : 1) })
        if order != "--attach" {
            #expect(try !(await fixture.list()).contains("discretionary"))
        }
    }

    @Test(
        "--background fails if the working folder was removed, or its path is not UTF-8",
        arguments: [
            "mkdir gone; cd gone; rmdir ../gone", #"d=$(printf 'd\351'); mkdir "$d"; cd "$d""#,
        ]
    )
    func unusableFolder(preparation: String) async throws {
        let result = try await FetchProcess.shell(
            preparation + #"; "$FETCH" -b -O background-edge "$1""#,
            silent.url(),
            in: fixture.folder,
            home: fixture.home
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("the working folder is gone"))
        #expect(result.stdout.isEmpty)
    }

    @Test("an empty list creates no session")
    func empty() async throws {
        try fixture.folder.write("", to: "urls")
        let result = try await fixture.queue("-i", "urls")
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("nothing to fetch in the background"))
        #expect(fixture.isGone)
    }

    @Test("B-02 a lost connection ends no task, and the next command reports the ends")
    func lost() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf, ")
            try connection.waitForPeerToClose()
        }
        try await fixture.queue("-O", "one", server.url())
        try await fixture.queue("-O", "two", server.url())
        let attached = try fixture.command(
            ["--attach", fixture.session, "--events-file", "events"]
        ).start()
        #expect(await eventually { fixture.folder.exists("events") })
        // Damages the begin of the journal, before later batches.
        let journal = "\(fixture.place)/journal"
        var bytes = try #require(fixture.home.read(journal))
        bytes[200] ^= 1
        try fixture.home.write(bytes, to: journal)
        fixture.killTransfers()
        let result = try await attached.wait()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderrLines.count == 1, "\(result)")
        #expect(result.stderr.hasPrefix("fetch: --attach: "), "\(result)")
        #expect(try fixture.events().named("didCompleteWithError").isEmpty)
    }

    @Test("an upload whose response's file cannot be read fails")
    func unread() async throws {
        try await fixture.upload()
        let name = try #require(
            FileManager.default.contentsOfDirectory(
                atPath: fixture.home.path("\(fixture.place)/files")
            )
            .first
        )
        try FileManager.default.removeItem(
            atPath: fixture.home.path("\(fixture.place)/files/\(name)")
        )
        let attached = try await fixture.attach()
        #expect(attached.status == 3, "\(attached)")
        #expect(attached.stderr.contains(name), "\(attached)")
    }

    @Test("a list includes other sessions if one does not respond, and a signal ends the wait")
    func stopped() async throws {
        try await fixture.queue("-O", "file", silent.url())
        #expect(await eventually { silent.requestCount == 1 })
        let process = try #require(fixture.transferProcess)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let other = try await fixture.fetch(
            ["-b", "--identifier", "z", "-O", "other", silent.url()]
        )
        #expect(other.status == 0, "\(other)")
        let listed = try await fixture.fetch(["--background-list"])
        #expect(listed.status == 1, "\(listed)")
        #expect(listed.stdoutText.contains("z"), "\(listed)")
        #expect(listed.stderr.contains("does not respond"), "\(listed)")
        #expect(try await fixture.fetch(["--background-cancel", "z"]).status == 0)
        let attached = try fixture.command(["--attach", fixture.session]).start()
        // The signal may come at any moment.
        let hasEnded = await eventually {
            attached.interrupt()
            return !attached.isRunning
        }
        #expect(hasEnded)
        #expect(try await attached.wait().signal == SIGINT)
    }
}

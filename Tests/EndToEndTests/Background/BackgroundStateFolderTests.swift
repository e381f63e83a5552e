import Foundation
import TestSupport
import Testing

/// State folders that cannot be written, are full, or have a damaged journal.
@Suite("Background sessions without a usable state folder", .timeLimit(.minutes(3)))
struct BackgroundStateFolderTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    @Test("--background fails if the state folder is not writable")
    func readOnly() async throws {
        try fixture.home.write("no folder", to: ".local")
        let queued = try await fixture.queue("http://127.0.0.1:1/x")
        #expect(queued.status == 3, "\(queued)")
        #expect(queued.stderr.contains(".local"), "\(queued)")
    }

    @Test("--background fails on a full disk; earlier tasks are still reported", .needs(.mounts))
    func fullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        let environment = ["XDG_STATE_HOME": disk.path]
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond(body: "whole")
        }
        let queueing = ["-b", "--identifier", fixture.session]
        let queued = try await fixture.fetch(
            queueing + ["-O", "file", server.url()],
            environment: environment
        )
        #expect(queued.status == 0, "\(queued)")
        #expect(await eventually { server.requestCount == 1 })
        disk.fill()
        // A few tasks have their place in what the journal has reserved.
        try fixture.folder.write(
            (0..<500).map { "\(server.url())\tother\($0)\n" }.joined(),
            to: "list"
        )
        let refused = try await fixture.fetch(queueing + ["-i", "list"], environment: environment)
        #expect(refused.status == 3, "\(refused)")
        #expect(refused.stderr.contains("no space is left"), "\(refused)")
        mayGo.open()
        let attached = try await fixture.fetch(
            ["--attach", fixture.session],
            environment: environment
        )
        #expect(attached.status == 0, "\(attached)")
        #expect(fixture.folder.readText("file") == "whole")
        #expect(fixture.folder.names() == ["file", "list"])
        #expect(server.requestCount == 1)
    }

    @Test("transfers end if the session's folder was removed, and leave no file with a final name")
    func removed() async throws {
        let server = try BackgroundTests.halfway()
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 && !fixture.folder.names().isEmpty })
        try FileManager.default.removeItem(atPath: fixture.home.path(fixture.place))
        #expect(await fixture.transfersEnd())
        #expect(!fixture.folder.exists("file"))
        let listed = try await fixture.fetch(["--background-list"])
        #expect(listed.status == 0, "\(listed)")
    }

    @Test("a session continues in a new process if its lock was removed")
    func removedLock() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let isRest = head["Range"] == "bytes=4-"
            try connection.send(
                isRest
                    ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 4-7/8\r\n"
                        + "ETag: \"a\"\r\nContent-Length: 4\r\n\r\nfull"
                    : "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 8\r\n\r\nhalf"
            )
            if !isRest { try connection.waitForPeerToClose() }
        }
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 && !fixture.folder.names().isEmpty })
        try #require(unlink(fixture.home.path("\(fixture.place)/lock")) == 0)
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        #expect(fixture.folder.readText("file") == "halffull")
        #expect(fixture.folder.names().sorted() == ["events", "file"])
        #expect(await eventually { fixture.isGone })
    }

    @Test("a session needs no usable runtime folder", arguments: ["a file", "open to others"])
    func runtimeFolder(_ kind: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "whole")
        }
        let runtime = fixture.home.path("runtime")
        if kind == "a file" {
            try fixture.home.write("", to: "runtime")
        } else {
            let folder = try fixture.home.makeFolder("runtime/fetch")
            try #require(chmod(folder, 0o777) == 0)
        }
        let environment = ["XDG_RUNTIME_DIR": runtime]
        let queueing = ["-b", "--identifier", fixture.session, "-O", "file", server.url()]
        let queued = try await fixture.fetch(queueing, environment: environment)
        #expect(queued.status == 0, "\(queued)")
        #expect(await eventually { fixture.folder.readText("file") == "whole" })
        let attached = try await fixture.fetch(
            ["--attach", fixture.session],
            environment: environment
        )
        #expect(attached.status == 0, "\(attached)")
    }

    @Test("a damaged journal is an error that names the line, and is not changed")
    func damaged() async throws {
        let server = try BackgroundTests.halfway()
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 })
        fixture.killTransfers()
        let journal = "\(fixture.place)/journal"
        let text = try #require(fixture.home.readText(journal))
        let damagedText = text.replacingOccurrences(of: "\"number\":1,", with: "\"number\":9,")
        try #require(chmod(fixture.home.path(journal), 0o600) == 0)
        let file = try #require(FileHandle(forWritingAtPath: fixture.home.path(journal)))
        try file.write(contentsOf: Data(damagedText.utf8))
        try file.close()
        for arguments in [
            ["--attach", fixture.session], ["--background-resume", fixture.session],
        ] {
            let result = try await fixture.fetch(arguments)
            #expect(result.status == 3, "\(result)")
            #expect(result.stderr.contains("line 2"), "\(result)")
        }
        #expect(fixture.home.readText(journal) == damagedText)
    }
}

import Foundation
import TestSupport
import Testing

/// Features for unattended machines: conditions, names, and lists for programs.
@Suite("Background sessions for CI and servers", .timeLimit(.minutes(3)))
struct BackgroundServerUseTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    private func server(_ fields: [String] = []) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", fields, body: "whole")
        }
    }

    private func schema() -> JSONSchema {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 1...4 { folder.deleteLastPathComponent() }
        return JSONSchema(
            path: folder.appendingPathComponent("docs/background-list.schema.json").path
        )
    }

    @Test("an existing file is kept, and nothing is requested")
    func noClobber() async throws {
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond(body: "new")
        }
        try fixture.folder.write("old", to: "file")
        let kept = try await fixture.queue("-nc", server.url("/file"))
        #expect(kept.status == 0)
        #expect(kept.stderr.contains("file exists, not fetched"), "\(kept)")
        #expect(!server.wasCalled)
        // A file that appears meanwhile is kept, too.
        try await fixture.queue("-nc", server.url("/other"))
        #expect(await eventually { server.wasCalled })
        try fixture.folder.write("mine", to: "other")
        mayGo.open()
        #expect(try await fixture.attach().status == 0)
        #expect(fixture.folder.readText("other") == "mine")
        #expect(
            await eventually { fixture.folder.names().sorted() == ["events", "file", "other"] }
        )
    }

    @Test(
        "a response without a body replaces no file, and makes none",
        arguments: ["204 No Content", "304 Not Modified"]
    )
    func noBody(status: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n")
        }
        try fixture.folder.write("old", to: "file")
        for name in ["file", "new"] {
            try await fixture.queue("-O", name, server.url("/file"))
            #expect(try await fixture.attach().status == 0)
            #expect(fixture.folder.readText("file") == "old")
            #expect(fixture.folder.names().sorted() == ["events", "file"])
            #expect(await eventually { fixture.isGone })
        }
    }

    @Test("only changed files are fetched, by entity tag or date")
    func timestamping() async throws {
        let date = "Sat, 31 Jan 2026 12:00:00 GMT"
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head["If-None-Match"] == "\"one\"" {
                return try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\n\r\n")
            }
            try connection.respond(
                "200 OK",
                ["ETag: \"one\"", "Last-Modified: \(date)"],
                body: "whole"
            )
        }
        for _ in 1...2 {
            try await fixture.queue("-N", server.url("/file"))
            #expect(try await fixture.attach().status == 0)
            #expect(fixture.folder.readText("file") == "whole")
            #expect(await eventually { fixture.isGone })
        }
        let isKnown = server.heads.last?["If-None-Match"] == "\"one\""
        // For a file of another program, the time and the length are compared.
        try fixture.folder.write("whole", to: "own")
        try await fixture.queue("-N", server.url("/own"))
        #expect(try await fixture.attach().status == 0)
        #expect(server.heads.last?["If-Modified-Since"] == nil)
        try fixture.folder.write("half", to: "own")
        try await fixture.queue("-N", server.url("/own"))
        #expect(try await fixture.attach().status == 0)
        #expect(fixture.folder.readText("own") == "whole")
        #expect(isKnown)
        #expect(fixture.folder.names().sorted() == ["events", "file", "own"])
    }

    @Test("a server's file name is made safe, and numbered if it exists")
    func serversName() async throws {
        let server = try server(["Content-Disposition: attachment; filename=\"../.named\""])
        for name in ["_.named", "_.named.1"] {
            try await fixture.queue("--content-disposition", "-P", "into", server.url("/file"))
            #expect(await fixture.transfersEnd())
            #expect(try await fixture.list().contains("\(name): fetched, 5 B"))
            #expect(try await fixture.attach().status == 0)
            #expect(fixture.folder.readText("into/\(name)") == "whole")
        }
        #expect(fixture.names("into").sorted() == ["_.named", "_.named.1"])
    }

    @Test("--jobs limits how many tasks run at once")
    func jobs() async throws {
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond("200 OK", ["Connection: close"], body: "x")
        }
        let urls = (1...4).map { server.url("/\($0)") }
        try await fixture.fetch(
            ["-b", "--identifier", fixture.session, "-j", "2", "-P", "into"] + urls
        )
        #expect(await eventually { server.requestCount == 2 })
        let list = try await fixture.list()
        #expect(list.components(separatedBy: "queued").count == 3, "\(list)")
        for _ in urls { mayGo.open() }
        #expect(try await fixture.attach().status == 0)
        #expect(fixture.names("into").count == 4)
    }

    @Test("a session begins with a file's cookies, and does not change the file")
    func cookies() async throws {
        let server = try server(["Set-Cookie: new=2"])
        let text = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue\n"
        try fixture.folder.write(text, to: "jar")
        let queued = try await fixture.queue("--load-cookies", "jar", server.url("/file"))
        #expect(queued.status == 0, "\(queued)")
        #expect(try await fixture.attach().status == 0)
        #expect(server.heads.last?["Cookie"] == "name=value")
        #expect(fixture.folder.readText("jar") == text)
    }

    @Test("the list as JSON conforms to its schema")
    func list() async throws {
        let server = try server()
        try await fixture.queue("-O", "file", server.url("/file"))
        try await fixture.queue("-O", "none", try Nginx.shared.url("/status/404"))
        #expect(await fixture.transfersEnd())
        let listed = try await fixture.fetch(["--background-list-json"])
        #expect(listed.status == 0, "\(listed)")
        #expect(try schema().violations(in: Array(listed.stdout)) == [])
        let line = try #require(listed.stdoutText.split(separator: "\n").first)
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let tasks = try #require(value?["tasks"] as? [[String: Any]])
        #expect(tasks.map { $0["outcome"] as? String } == ["fetched", "failed"])
        #expect(tasks.map { $0["statusCode"] as? Int } == [200, 404])
        #expect(tasks.first?["file"] as? String == fixture.folder.path("file"))
    }

    @Test("after a restart all tasks continue, except in a paused session")
    func resumeAll() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        try await fixture.queue("-O", "one", server.url())
        try await fixture.fetch(["-b", "--identifier", "other", "-O", "two", server.url()])
        #expect(await eventually { server.requestCount == 2 })
        try await fixture.fetch(["--background-pause", "other"])
        fixture.killTransfers()
        #expect(await fixture.transfersEnd())
        let resumed = try await fixture.fetch(["--background-resume", "--all"])
        #expect(resumed.status == 0, "\(resumed)")
        #expect(await eventually { server.requestCount == 3 })
        #expect(try await fixture.list().contains("other: paused"))
        try await fixture.fetch(["--background-cancel", "other"])
    }

    @Test("resuming starts another transfer process if the old one is exiting")
    func resumeAllDuringExit() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        try await fixture.queue("-O", "one", server.url())
        #expect(await eventually { server.requestCount == 1 })
        // The stopped process has the lock, and its socket takes connections, but it does not reply.
        let process = try #require(fixture.transferProcess)
        kill(process, SIGSTOP)
        let resuming = try fixture.command(["--background-resume", "--all"]).start()
        #expect(await !happens(in: .seconds(1)) { !resuming.isRunning })
        kill(process, SIGKILL)
        let resumed = try await resuming.wait()
        #expect(resumed.status == 0, "\(resumed)")
        #expect(await eventually { server.requestCount == 2 })
    }

    @Test("the command's output is in a log, which the list names")
    func commandLog() async throws {
        let server = try server()
        try await fixture.queue(
            "--on-complete",
            "echo said; echo wrong >&2",
            "-O",
            "file",
            server.url("/file")
        )
        let log = ".local/state/fetch/background/.logs/session.log"
        #expect(
            try await eventually {
                try await fixture.list().contains(
                    "ended with 0, its output is in \(fixture.home.path(log))"
                )
            }
        )
        #expect(fixture.home.readText(log) == "said\nwrong\n")
        #expect(try await fixture.attach().status == 0)
        #expect(await eventually { fixture.isGone })
        #expect(fixture.home.readText(log) == "said\nwrong\n")
        #expect(try await fixture.list() == "")
    }
}

import TestSupport
import Testing

/// Entity tags in files of their own.
@Suite("Entity tags in files", .timeLimit(.minutes(1)))
struct EntityTagTests {
    /// A server whose `/x` has this tag.
    private static func server(_ tag: String = "\"one\"") throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            let field = "ETag: \(tag)"
            switch head.target {
            case "/none": try connection.respond(body: "plain")
            case "/bare": try connection.respond("200 OK", ["ETag: a b"], body: "bare")
            case "/missing": try connection.respond("404 Not Found", [field])
            case "/cut":
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\(field)\r\n\r\nhalf")
            case "/moved": try connection.respond("302 Found", ["Location: /x", "ETag: \"r\""])
            case "/quiet": try connection.send("HTTP/1.1 304 Not Modified\r\n\r\n")
            case _ where head["If-None-Match"] == tag:
                try connection.send("HTTP/1.1 304 Not Modified\r\n\(field)\r\n\r\n")
            default: try connection.respond("200 OK", [field], body: "body")
            }
        }
    }

    @Test(
        "fetch does not download an unchanged body again, and the files stay",
        arguments: ["/x", "/moved"]
    )
    func same(path: String) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder("tag")
        let flags = ["--etag-compare", "tag", "--etag-save", "tag", "-O", "f", server.url(path)]
        let first = try await FetchProcess(flags, in: folder).run()
        #expect(first.status == 0, "\(first)")
        #expect(folder.readText("tag") == "\"one\"\n")
        #expect(folder.readText("f") == "body")
        try folder.write("mine", to: "f")
        let second = try await FetchProcess(flags, in: folder).run()
        #expect(second.status == 0, "\(second)")
        #expect(folder.readText("f") == "mine")
        #expect(folder.readText("tag") == "\"one\"\n")
        #expect(folder.names() == ["f", "tag"])
        #expect(server.heads.last?["If-None-Match"] == "\"one\"")
    }

    @Test("a body that has the name of --etag-save is numbered")
    func ownBody() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let fields = ["ETag: \"v\"", "Content-Disposition: attachment; filename=\"tag\""]
            if head.target == "/moved" {
                try connection.respond("302 Found", ["Location: /tag"])
            } else {
                try connection.respond("200 OK", fields, body: "body")
            }
        }
        for flags in [["--content-disposition", server.url("/x")], [server.url("/moved")]] {
            let folder = try TemporaryFolder("tag")
            let result = try await FetchProcess(["--etag-save", "tag"] + flags, in: folder).run()
            #expect(result.status == 0, "\(result)")
            // A redirect's name is not used.
            let name = flags.count == 1 ? "moved" : "tag.1"
            #expect(folder.readText(name) == "body")
            #expect(folder.readText("tag")?.contains("\"v\"") == true)
        }
    }

    @Test(
        "a new tag replaces the old one only after a complete body",
        arguments: [
            ("/x", 0, "\"one\"\n"), ("/none", 0, ""), ("/bare", 0, ""), ("/moved", 0, "\"one\"\n"),
            ("/missing", 8, "\"old\"\n"), ("/cut", 4, "\"old\"\n"), ("/quiet", 0, "\"old\"\n"),
        ]
    )
    func saved(path: String, status: Int32, tag: String) async throws {
        let server = try Self.server()
        for output in ["f", "-"] {
            let folder = try TemporaryFolder("tag")
            try folder.write("\"old\"\n", to: "tag")
            let result = try await FetchProcess.run(
                "--tries",
                "1",
                "--etag-save",
                "tag",
                "-O",
                output,
                server.url(path),
                in: folder
            )
            #expect(result.status == status, "\(result)")
            #expect(folder.readText("tag") == tag)
            #expect(!folder.exists("tag.part"))
        }
    }

    @Test("a body that cannot be saved leaves the old tag")
    func unplaced() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder("tag")
        try folder.write("\"old\"\n", to: "tag")
        let result = try await FetchProcess.run(
            "--max-filesize",
            "2",
            "--etag-save",
            "tag",
            "-O",
            "f",
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 11, "\(result)")
        #expect(folder.readText("tag") == "\"old\"\n")
        let wrong = try await FetchProcess.run(
            "--checksum",
            "md5:00000000000000000000000000000000",
            "--etag-save",
            "tag",
            "-O",
            "f",
            server.url("/x"),
            in: folder
        )
        #expect(wrong.status != 0, "\(wrong)")
        #expect(folder.readText("tag") == "\"old\"\n")
    }

    @Test(
        "fetch does not send a malformed tag",
        arguments: ["\"a\"\u{0}", "\"a\rX-A: b\"", "word", "\"a b\"", "\"a\", \"b\""]
    )
    func malformed(content: String) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder("tag")
        try folder.write(content, to: "tag")
        let result = try await FetchProcess.run(
            "--etag-compare",
            "tag",
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(!server.wasCalled)
    }

    @Test("fetch requests nothing where the tag cannot be saved")
    func folder() async throws {
        let server = try Self.server()
        let result = try await FetchProcess.run(
            "--etag-save",
            "missing/tag",
            "-qO-",
            server.url("/x")
        )
        #expect(result.status == 3, "\(result)")
        #expect(!server.wasCalled)
        let output = try await FetchProcess.run("--etag-save", "-", "-qO-", server.url("/x"))
        #expect(output.status == 2, "\(output)")
    }
}

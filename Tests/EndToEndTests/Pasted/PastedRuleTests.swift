import TestSupport
import Testing

/// Behaviour of curl's and wget's lines that the comparison does not cover.
@Suite("Rules for pasted lines", .timeLimit(.minutes(1)))
struct PastedRuleTests {
    @Test(
        "equal names are numbered in the order of the URLs, in whatever order the responses arrive"
    )
    func numbered() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/1/x" { try gate.wait() }
            try connection.respond(body: head.target)
            if head.target == "/2/x" { gate.open() }
        }
        let folder = try TemporaryFolder("order")
        let result = try await FetchProcess.run(
            "-j2",
            server.url("/1/x"),
            server.url("/2/x"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("x") == "/1/x")
        #expect(folder.readText("x.1") == "/2/x")
    }

    @Test("curl's -O replaces a file, and the second of two equal names in one run is numbered")
    func replaced() async throws {
        let server = try SocketServer { connection in
            try connection.respond(body: try connection.readHead().target)
        }
        let folder = try TemporaryFolder("replace")
        try folder.write("old", to: "x")
        let result = try await FetchProcess.run(
            "-O",
            server.url("/1/x"),
            "-O",
            server.url("/2/x"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["x", "x.1"])
        #expect(folder.readText("x") == "/1/x")
        #expect(folder.readText("x.1") == "/2/x")
    }

    @Test("curl's cookies of several flags are sent together")
    func cookies() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "")
        }
        let flags = ["-s", "--cookie", "a=b", "--cookie", "c=d"]
        let result = try await FetchProcess(flags + [server.url("/x")]).run()
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?["Cookie"] == "a=b; c=d")
        let mixed = try await FetchProcess.run("--cookie", "a=b", "--cookie", "env:X", server.url())
        #expect(mixed.status == 2, "\(mixed)")
    }

    @Test("a line of a list may have a name and a checksum")
    func list() async throws {
        let server = try SocketServer { connection in
            try connection.respond(body: try connection.readHead().target)
        }
        let folder = try TemporaryFolder("list")
        let right = "sha1:11c92819db47c4740924a60485a74ea4dcc442aa"
        try folder.write(
            """
            \(server.url("/a"))\tdir/first
            \(server.url("/b"))\tsecond\tmd5:00000000000000000000000000000000
            \(server.url("/c"))\t\t\(right)
            \(server.url("/d"))
            \(server.url("/e"))\tx\ty\tz
            """,
            to: "list"
        )
        let result = try await FetchProcess.run("-i", "list", in: folder)
        #expect(folder.readText("dir/first") == "/a")
        #expect(!folder.exists("second"))
        #expect(folder.readText("d") == "/d")
        #expect(result.stderr.contains("list:5: "), "\(result)")
        #expect(folder.readText("c") == "/c")
        #expect(result.status == 2, "\(result)")
    }

    @Test(
        "equal names of lines are numbered in their order",
        arguments: [["-j", "1"], ["-j", "4"], ["-c"], ["-N"]]
    )
    func sameNames(flags: [String]) async throws {
        let server = try SocketServer { connection in
            try connection.respond(body: try connection.readHead().target)
        }
        let folder = try TemporaryFolder("list")
        let lines = ["/a\tname", "/b\tname", "/c", "/d\tdir/name", "/e\tc", "/f\tname"]
        try folder.write(lines.map { server.url($0) + "\n" }.joined(), to: "list")
        try folder.write("mine", to: "name.2")
        let result = try await FetchProcess(flags + ["-i", "list"], in: folder).run()
        #expect(result.status == 0, "\(result)")
        let names = ["name", "name.1", "c", "dir/name", "c.1", "name.3", "name.2"]
        #expect(names.map { folder.readText($0) } == ["/a", "/b", "/c", "/d", "/e", "/f", "mine"])
    }

    @Test(
        "a name in a list may not leave the folder",
        arguments: ["../x", "/tmp/fetch-x", ".bashrc", "a/../b", "-x", "a//b", "-"]
    )
    func listedName(name: String) async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("list")
        try folder.write("\(server.url("/a"))\t\(name)\n", to: "list")
        let result = try await FetchProcess.run("-i", "list", in: folder)
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("list:1: a name in a list: "))
        #expect(folder.names() == ["list"])
        #expect(!server.wasCalled)
    }

    @Test("--proto and --proto-redir refuse a scheme with status 11, and fetch sends nothing")
    func schemes() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: /y"])
        }
        let first = try await FetchProcess.run("--proto", "=https", server.url("/x"))
        #expect(first.status == 11, "\(first)")
        #expect(!server.wasCalled)
        let next = try await FetchProcess.run("--proto-redir", "=https", server.url("/x"))
        #expect(next.status == 11, "\(next)")
        #expect(server.requestCount == 1)
        #expect(next.folder.names() == [])
    }

    @Test("--location-trusted sends credentials to other origins, with a warning")
    func trusted() async throws {
        let target = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "there")
        }
        let first = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(target.url("/y"))"])
        }
        let flags = ["-u", "me:pw", "-H", "Cookie: a=b", "-qO-"]
        let trusted = try await FetchProcess(flags + ["--location-trusted", first.url("/x")]).run()
        #expect(trusted.stdoutText == "there", "\(trusted)")
        #expect(trusted.stderr.contains("--location-trusted"))
        #expect(target.heads.last?["Authorization"] == "Basic bWU6cHc=")
        #expect(target.heads.last?["Cookie"] == "a=b")
        let other = try await FetchProcess(flags + [first.url("/x")]).run()
        #expect(other.status == 0, "\(other)")
        #expect(target.heads.last?["Authorization"] == nil)
        #expect(target.heads.last?["Cookie"] == nil)
    }

    @Test("a line of curl's makes a file at a terminal, with a message")
    func terminal() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(["-fsSL", server.url("/x")], terminal: terminal)
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("x") == "body")
        try await terminal.wait(for: "the name") { screen in
            screen.text.contains { $0.hasSuffix("/x -> x") }
        }
    }

    @Test("a response without a body makes no file")
    func noContent() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let folder = try TemporaryFolder("empty")
        for flags in [[], ["-O", "f"], ["-X", "DELETE"], ["-X", "DELETE", "-O", "f"]] {
            let result = try await FetchProcess(flags + [server.url("/x")], in: folder).run()
            #expect(result.status == 0, "\(result)")
            #expect(folder.names() == [])
            #expect(result.stdout == [])
        }
    }

    @Test("-a appends messages to a log")
    func log() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("404 Not Found", body: "no")
        }
        let folder = try TemporaryFolder("log")
        try folder.write("before\n", to: "log")
        for _ in 0..<2 {
            let result = try await FetchProcess.run("-a", "log", server.url("/x"), in: folder)
            #expect(result.status == 8)
            #expect(result.stderr == "")
        }
        let lines = folder.readText("log")?.split(separator: "\n") ?? []
        #expect(lines.first == "before")
        #expect(lines.count { $0.contains("404 Not Found") } == 2)
    }

    @Test("--wait is observed between two tasks")
    func wait() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() { try connection.respond(body: head.target) }
        }
        let urls = (1...3).map { server.url("/\($0)") }
        let result = try await FetchProcess(["-qO-", "--wait", "0.2"] + urls).run()
        #expect(result.stdoutText == "/1/2/3")
        #expect(result.wallSeconds >= 0.4)
    }

    @Test("fetch warns about an insecure connection, with -q too")
    func insecure() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let result = try await FetchProcess.run("-kqO-", server.url("/x"))
        #expect(result.stdoutText == "body")
        #expect(result.stderr.contains("--no-check-certificate"))
    }
}

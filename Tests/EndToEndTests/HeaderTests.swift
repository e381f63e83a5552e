import TestSupport
import Testing

/// The request line and header as a server receives them.
@Suite("Request headers", .timeLimit(.minutes(1)))
struct HeaderTests {
    private static func head(_ arguments: [String]) async throws -> HTTPHead {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let result = try await FetchProcess(arguments + ["-O", "-", server.url("/p?q=1")]).run()
        #expect(result.status == 0, "\(result)")
        return try #require(server.heads.first)
    }

    @Test("a plain request has Host, User-Agent, Accept and little more")
    func defaults() async throws {
        let head = try await Self.head([])
        #expect(head.method == "GET")
        #expect(head.target == "/p?q=1")
        #expect(head.version == "HTTP/1.1")
        #expect(head["Host"]?.hasPrefix("127.0.0.1:") == true)
        #expect(head["User-Agent"]?.hasPrefix("fetch/") == true)
        #expect(head["Accept"] == "*/*")
        let names = Set(head.fields.map { $0.name.lowercased() })
        #expect(
            names.subtracting(["accept-encoding", "connection"]) == [
                "host", "user-agent", "accept",
            ]
        )
    }

    @Test(
        "headers are set, replaced, removed and sent empty by -H",
        arguments: [
            (["-H", "X-A: b"], "X-A", ["b"]),
            (["-H", "X-A: b", "-H", "X-A: c"], "X-A", ["b", "c"]),
            (["-H", "X-A:b\t "], "X-A", ["b"]),
            (["-H", "X-A;"], "X-A", [""]),
            (["-H", "User-Agent: me"], "User-Agent", ["me"]),
            (["-H", "User-Agent:"], "User-Agent", []),
            (["-H", "accept:"], "Accept", []),
            (["-U", "me"], "User-Agent", ["me"]),
            (["-U", ""], "User-Agent", []),
            (["--referer", "http://x/"], "Referer", ["http://x/"]),
            (["-H", "Host: other.example"], "Host", ["other.example"]),
            (["-H", "X-A: caf\u{e9}"], "X-A", ["caf\u{c3}\u{a9}"]),
        ]
    )
    func edits(arguments: [String], name: String, values: [String]) async throws {
        #expect(try await Self.head(arguments).values(name) == values)
    }

    @Test("-X sends any method", arguments: ["DELETE", "OPTIONS", "PROPFIND", "get"])
    func methods(method: String) async throws {
        #expect(try await Self.head(["-X", method]).method == method)
    }

    @Test("credentials in the URL are sent as Basic to its origin, and removed from the URL")
    func userInfo() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let result = try await FetchProcess.run(
            "-qO-",
            "--auth",
            "basic",
            "http://me:p%40ss@127.0.0.1:\(server.port)/x"
        )
        #expect(result.status == 0, "\(result)")
        let head = try #require(server.heads.first)
        #expect(head["Authorization"] == "Basic bWU6cEBzcw==")
        #expect(!head.text.contains("me:"))
    }

    @Test(
        "fetch refuses CR and LF in a header, method, credential or URL before it sends anything",
        arguments: [
            ["-H", "X-A: s3cret\r\nX-B: c"], ["-H", "X-A: s3cret\nX-B: c"],
            ["-H", "X-A: s3cret\r"],
            ["-H", "X-A\r\nX-B: s3cret"], ["-U", "s3cret\r\nX-B: c"],
            ["--referer", "s3cret\nX-B: c"], ["-X", "GET\r\nX-B: c"], ["-X", "GET / HTTP/1.1"],
            ["-X", ""], ["-F", "a=b;type=x/y\r\nX-B: c"],
        ]
    )
    func injection(arguments: [String]) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess(arguments + ["-O", "out", server.url()]).run()
        #expect(result.status == 2, "\(result)")
        #expect(!result.stderr.contains("s3cret"))
        #expect(result.stderrLines.allSatisfy { $0.hasPrefix("fetch: ") })
        #expect(!server.wasCalled)
        #expect(result.folder.names() == [])
    }

    @Test(
        "fetch refuses control characters in the URL or its credential as well",
        arguments: [
            ("", "/a\r\nX-B: c"), ("", "/a\nb"), ("u:s3cret\r\n@", "/"),
            ("u%0D%0AX-B:s3cret@", "/"), ("u:s3cret%0A@", "/"), ("u:s3cret%00@", "/"),
        ]
    )
    func injectionByURL(credential: String, path: String) async throws {
        let server = try SocketServer { _ in }
        let url = "http://\(credential)127.0.0.1:\(server.port)\(path)"
        let result = try await FetchProcess.run("-O", "out", url)
        #expect(result.status == 2, "\(result)")
        #expect(!result.stderr.contains("s3cret"))
        #expect(!server.wasCalled)
        #expect(result.folder.names() == [])
    }

    @Test(
        "fetch refuses headers of the connection and of the body's length",
        arguments: [
            "Content-Length: 5", "Transfer-Encoding: chunked", "Connection: close", "Host;",
        ]
    )
    func refused(line: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.run("-H", line, "-d", "x", server.url())
        #expect(result.status == 2, "\(result)")
        #expect(!server.wasCalled)
    }
}

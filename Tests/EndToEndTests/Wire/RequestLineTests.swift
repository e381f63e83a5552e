import TestSupport
import Testing

/// The form of requests that flags change.
@Suite("Requests as they are sent", .timeLimit(.minutes(1)))
struct RequestLineTests {
    /// A server that responds with the received method, target and body; `/rNNN` redirects with status
    /// NNN.
    private static func mirror() throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                let body = String(decoding: try connection.readBody(head), as: UTF8.self)
                if head.target.hasPrefix("/r3") {
                    let status = head.target.dropFirst(2)
                    try connection.respond("\(status) Elsewhere", ["Location: /next"])
                } else {
                    try connection.respond(body: "\(head.method) \(head.target) \(body)")
                }
            }
        }
    }

    @Test(
        "--request-target and --path-as-is are sent unchanged",
        arguments: [
            (["-X", "OPTIONS", "--request-target", "*"], "/x", "OPTIONS * "),
            (["--request-target", "/a/../b?c"], "/x", "GET /a/../b?c "),
            (["--request-target", "/r302"], "/x", "GET /next "),
            (["--path-as-is"], "/a/../b/./c?d/../e", "GET /a/../b/./c?d/../e "),
            (["--path-as-is"], "/../../etc", "GET /../../etc "),
            ([], "/a/../b/./c?d/../e", "GET /b/c?d/../e "),
        ] as [([String], String, String)]
    )
    func target(flags: [String], path: String, seen: String) async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess(flags + ["-qO-", server.url(path)]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == seen)
    }

    @Test("--request-target becomes the path over HTTP/2")
    func multiplexed() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "--request-target",
            "/echo/target",
            "--ca-certificate",
            nginx.certificates.authority,
            "-qO-",
            nginx.http2URL("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("protocol: HTTP/2.0\n"))
    }

    @Test(
        "fetch refuses an invalid target before it sends anything",
        arguments: ["", "a b", "/x\r\nX-A: b", "/x\n", "/é", "\t"]
    )
    func noTarget(target: String) async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess(["--request-target=\(target)", server.url("/x")]).run()
        #expect(result.status == 2, "\(result)")
        #expect(!server.wasCalled)
        #expect(result.folder.names() == [])
    }

    @Test(
        "a redirect to another server drops the target and all that was given for the first server"
    )
    func crossing() async throws {
        let other = try Self.mirror()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(other.url("/next"))"])
        }
        let result = try await FetchProcess.run(
            "--request-target",
            "/secret",
            "-H",
            "Authorization: s3cret",
            "-qO-",
            server.url("/x")
        )
        #expect(result.stdoutText == "GET /next ", "\(result)")
        #expect(server.heads.map(\.target) == ["/secret"])
        #expect(other.heads.last?["Authorization"] == nil)
    }

    @Test(
        "a POST remains a POST after the redirects of the flags",
        arguments: [
            (["--post301"], 301, "POST /next a=1"), (["--post301"], 302, "GET /next "),
            (["--post302"], 302, "POST /next a=1"), (["--post303"], 303, "POST /next a=1"),
            (["--post301", "--post302"], 303, "GET /next "), ([], 308, "POST /next a=1"),
        ] as [([String], Int, String)]
    )
    func post(flags: [String], status: Int, seen: String) async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess(
            flags + ["-d", "a=1", "-q", server.url("/r\(status)")]
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == seen)
        #expect((server.heads.last?["Content-Type"] != nil) == seen.hasPrefix("POST"))
    }

    @Test("a file is sent from an offset with its Content-Range, also when it is repeated")
    func offset() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let body = try connection.readBody(head)
                if head.target == "/first" {
                    try connection.respond("307 Elsewhere", ["Location: /second"])
                } else if head["Authorization"] == nil {
                    let field = "WWW-Authenticate: Basic realm=\"r\""
                    try connection.respond("401 Unauthorized", [field])
                } else {
                    try connection.respond(body: body)
                }
            }
        }
        let folder = try TemporaryFolder("offset")
        try folder.write("0123456789", to: "file")
        let words = [["--upload-offset", "4"], ["-C", "4"]]
        for flags in words {
            let result = try await FetchProcess(
                flags + ["-u", "me:pw", "--upload-file", "file", "-q", server.url("/first")],
                in: folder
            ).run()
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText == "456789")
        }
        #expect(Set(server.heads.map { $0["Content-Range"] }) == ["bytes 4-9/10"])
        #expect(Set(server.heads.map { $0["Content-Length"] }) == ["6"])
        let all = try await FetchProcess.run(
            "--upload-offset",
            "10",
            "--upload-file",
            "file",
            server.url("/x"),
            in: folder
        )
        #expect(all.status == 3, "\(all)")
    }

    @Test("--raw writes a body with its chunks, and does not continue a broken one")
    func raw() async throws {
        let whole = "5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let isFirst = head.target == "/broken" && connection.number == 0
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n")
            try connection.send("ETag: \"1\"\r\nContent-Encoding: gzip\r\nTrailer: X-T\r\n\r\n")
            try connection.send(isFirst ? String(whole.prefix(7)) : whole)
        }
        let folder = try TemporaryFolder("raw")
        let broken = try await FetchProcess.run(
            "--raw",
            "--waitretry",
            "0",
            "-O",
            "f",
            server.url("/broken"),
            in: folder
        )
        #expect(broken.status == 0, "\(broken)")
        #expect(folder.readText("f") == whole)
        #expect(folder.names() == ["f"])
        #expect(server.heads.allSatisfy { $0["Range"] == nil && $0["Accept-Encoding"] == nil })
        let printed = try await FetchProcess.run("--raw", "-qO-", server.url("/x"))
        #expect(printed.stdoutText == whole)
    }
}

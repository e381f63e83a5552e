import TestSupport
import Testing

/// Bodies that must be sent a second time after a redirect.
@Suite("Bodies sent again", .timeLimit(.minutes(1)))
struct RepeatedBodyTests {
    /// A server that redirects `/in` after its body, and responds to `/next` with method and body.
    private static func redirecting(_ status: String) throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                let body = try connection.readBody(head)
                if head.target == "/in" {
                    try connection.respond(status, ["Location: /next"])
                } else {
                    try connection.respond(body: Array("\(head.method) ".utf8) + body)
                }
            }
        }
    }

    @Test(
        "T-05 a 307 or 308 receives a repeatable body again",
        arguments: ["307 Temporary Redirect", "308 Permanent Redirect"],
        [["-d", "body"], ["-X", "POST", "--upload-file", "file"], ["--data-binary", "@file"]]
    )
    func again(status: String, arguments: [String]) async throws {
        let server = try Self.redirecting(status)
        let folder = try TemporaryFolder("again")
        try folder.write("body", to: "file")
        let result = try await FetchProcess(arguments + [server.url("/in")], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "POST body")
        #expect(server.requestCount == 2)
    }

    @Test("T-05 standard input from a file is sent again from its first offset")
    func standardInputFile() async throws {
        let server = try Self.redirecting("307 Temporary Redirect")
        let folder = try TemporaryFolder("again")
        let file = try folder.write("body", to: "file")
        let result = try await FetchProcess.run(
            "--upload-file",
            "-",
            server.url("/in"),
            input: .file(file)
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "PUT body")
    }

    @Test(
        "T-05 a pipe without a spool ends with status 13 and one line, never with an empty body",
        arguments: ["307 Temporary Redirect", "308 Permanent Redirect"],
        [["--upload-file", "-"], ["-d", "@-"], ["-F", "file=@-"]]
    )
    func usedUp(status: String, arguments: [String]) async throws {
        let server = try Self.redirecting(status)
        let result = try await FetchProcess(
            arguments + ["--spool-limit", "0", server.url("/in")],
            input: .text("body")
        ).run()
        #expect(result.status == 13, "\(result)")
        #expect(result.stdout == [])
        let blames = result.blames(server.url("/in"))
        #expect(blames.count == 1)
        #expect(blames.first?.contains("requestBodyStreamExhausted") == true)
        #expect(server.requestCount == 1)
    }

    @Test(
        "T-09 a POST becomes a GET without a body after a 301, 302 or 303",
        arguments: ["301 Moved Permanently", "302 Found", "303 See Other"]
    )
    func becomesGet(status: String) async throws {
        let server = try Self.redirecting(status)
        let result = try await FetchProcess.run(
            "--data-binary",
            "@-",
            server.url("/in"),
            input: .text("body")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "GET ")
        let second = server.heads.last
        #expect(second?.target == "/next")
        #expect(second?["Content-Type"] == nil)
        #expect(second?["Content-Length"] == nil)
        #expect(second?["Transfer-Encoding"] == nil)
    }

    @Test(
        "T-09 a PUT stays a PUT after a 301 or 302, and becomes a GET after a 303",
        arguments: [
            ("301 Moved Permanently", "PUT body"), ("302 Found", "PUT body"),
            ("303 See Other", "GET "),
        ]
    )
    func put(status: String, seen: String) async throws {
        let server = try Self.redirecting(status)
        let folder = try TemporaryFolder("again")
        try folder.write("body", to: "file")
        let result = try await FetchProcess.run(
            "--upload-file",
            "file",
            server.url("/in"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == seen)
    }
}

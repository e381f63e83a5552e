import TestSupport
import Testing

/// Responses with a status of 400 and above.
@Suite("Error statuses", .timeLimit(.minutes(1)))
struct ErrorStatusTests {
    @Test(
        "S-06 an error status is a response: exit status 8, one line, and no file",
        arguments: [
            (400, "Bad Request"), (403, "Forbidden"), (404, "Not Found"), (410, "Gone"),
            (416, "Range Not Satisfiable"), (429, "Too Many Requests"),
            (500, "Internal Server Error"), (503, "Service Unavailable"),
        ]
    )
    func file(status: Int, reason: String) async throws {
        let url = try Nginx.shared.url("/status/\(status)")
        let folder = try TemporaryFolder("status")
        try folder.write("old", to: "out")
        let result = try await FetchProcess.run("-t1", "-O", "out", url, in: folder)
        #expect(result.status == 8, "\(result)")
        #expect(result.stderrLines == ["fetch: \(url): \(status) \(reason)"])
        #expect(folder.names() == ["out"])
        #expect(folder.readText("out") == "old")
        #expect(result.stdout == [])
    }

    @Test(
        "the body of an error status is written to standard output only with --content-on-error",
        arguments: [(["-O", "-"], ""), (["-O", "-", "--content-on-error"], "status 404\n")]
    )
    func standardOutput(arguments: [String], output: String) async throws {
        let url = try Nginx.shared.url("/status/404")
        for more in [[], ["-d", "x"]] {
            let result = try await FetchProcess(arguments + more + [url]).run()
            #expect(result.status == 8, "\(result)")
            #expect(result.stdoutText == output)
            let excerpt = output.isEmpty ? ["fetch: the error's body:", "  status 404"] : []
            #expect(result.stderrLines == ["fetch: \(url): 404 Not Found"] + excerpt)
        }
    }

    @Test("--content-on-error saves the body, and the exit status remains 8")
    func contentOnError() async throws {
        let url = try Nginx.shared.url("/status/500")
        let result = try await FetchProcess.run("-qt1", "--content-on-error", "-O", "out", url)
        #expect(result.status == 8, "\(result)")
        #expect(result.folder.readText("out") == "status 500\n")
        #expect(result.folder.names() == ["out"])
        #expect(result.stderrLines == ["fetch: \(url): 500 Internal Server Error"])
    }

    @Test(
        "an error status of an upload is exit status 8",
        arguments: [["-d", "x"], ["--upload-file", "-"]]
    )
    func upload(arguments: [String]) async throws {
        let url = try Nginx.shared.url("/status/405")
        let result = try await FetchProcess(arguments + [url], input: .text("x")).run()
        #expect(result.status == 8, "\(result)")
        #expect(result.stdout == [])
    }

    @Test("-I with an error status is exit status 8")
    func head() async throws {
        let result = try await FetchProcess.run("-I", Nginx.shared.url("/status/404"))
        #expect(result.status == 8, "\(result)")
    }

    @Test("a failure counts although a later URL succeeds, and all URLs are fetched")
    func several() async throws {
        let nginx = try Nginx.shared
        let missing = nginx.url("/status/404")
        let result = try await FetchProcess.run(missing, nginx.url("/files/hello.txt"))
        #expect(result.status == 8, "\(result)")
        #expect(result.folder.names() == ["hello.txt"])
        #expect(result.blames(missing) == ["404 Not Found"])
    }

    @Test("the gravest status of several URLs counts, in either order", arguments: [true, false])
    func gravest(reversed: Bool) async throws {
        let nginx = try Nginx.shared
        let refusing = try RefusingPort()
        let urls = [nginx.url("/status/404"), refusing.url(), nginx.url("/files/hello.txt")]
        let result = try await FetchProcess(["-O", "-"] + (reversed ? urls.reversed() : urls)).run()
        #expect(result.status == 4, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        #expect(result.blames(urls[0]).count == 1)
        #expect(result.blames(urls[1]).count == 1)
    }

    @Test("a status below 400 is no error", arguments: [200, 204, 304])
    func noError(status: Int) async throws {
        let result = try await FetchProcess.run("-O", "-", Nginx.shared.url("/status/\(status)"))
        #expect(result.status == 0, "\(result)")
    }

    @Test("an unknown status counts by its class", arguments: [("299 Odd", 0), ("499 Odd", 8)])
    func unknown(line: String, exit: Int32) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(line, body: "x")
        }
        let result = try await FetchProcess.run("-O", "-", server.url())
        #expect(result.status == exit, "\(result)")
    }
}

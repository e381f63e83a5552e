import Foundation
import TestSupport
import Testing

/// Responses that the command line refuses.
@Suite("Refused responses", .timeLimit(.minutes(1)))
struct PolicyTests {
    @Test(
        "--accept-type refuses other types at the head, and changes no file",
        arguments: [
            ("text/html", 11), ("image/*,audio/*", 11), ("TEXT/Plain", 0), ("text/*", 0),
            ("*", 0), ("*/plain", 0), ("text/pl??n", 0), ("text/plai", 11), ("text/plainx", 11),
        ] as [(String, Int32)],
        [["-O", "out"], ["-O", "-"], ["-P", "d"], ["-d", "x"]]
    )
    func acceptType(_ type: (String, Int32), _ arguments: [String]) async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond(
                "200 OK",
                ["Content-Type: text/plain; charset=utf-8"],
                body: "hello"
            )
        }
        let result = try await FetchProcess(
            ["--accept-type", type.0, server.url("/x")] + arguments
        ).run()
        #expect(result.status == type.1, "\(result)")
        guard type.1 != 0 else { return }
        #expect(result.stdout == [])
        #expect(result.folder.names() == [])
        let line =
            "fetch: \(server.url("/x")): the body is text/plain, which --accept-type does not allow"
        #expect(result.stderrLines == [line])
        try server.verify()
    }

    @Test(
        "a response without a type counts as application/octet-stream, and an empty one has no type"
    )
    func untyped() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/empty" {
                try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            } else {
                try connection.respond(body: "x")
            }
        }
        func status(_ path: String, _ type: String) async throws -> Int32? {
            try await FetchProcess.run("-O", "-", "--accept-type", type, server.url(path)).status
        }
        #expect(try await status("/x", "text/*") == 11)
        #expect(try await status("/x", "application/octet-stream") == 0)
        #expect(try await status("/empty", "text/*") == 0)
        #expect(try await status("/x", "text") == 2)
        #expect(try await status("/x", "text/plain;charset=x") == 2)
        try server.verify()
    }

    @Test("an error's status counts before the type of its body")
    func errorsType() async throws {
        let url = try Nginx.shared.url("/status/404")
        let plain = try await FetchProcess.run("-O", "out", "--accept-type", "image/*", url)
        #expect(plain.status == 8, "\(plain)")
        let wanted = try await FetchProcess.run(
            "-O",
            "out",
            "--content-on-error",
            "--accept-type",
            "image/*",
            url
        )
        #expect(wanted.status == 8, "\(wanted)")
        #expect(wanted.stderr.contains("--accept-type does not allow"), "\(wanted)")
        #expect(wanted.folder.names() == [])
    }

    @Test(
        "--max-filesize refuses a known length at the head, and changes no file",
        arguments: [["-O", "out"], ["-O", "-"], ["-P", "d"]]
    )
    func knownLength(_ arguments: [String]) async throws {
        let nginx = try Nginx.shared
        let url = nginx.url(try nginx.addLargeFile("limit.bin", size: 1001))
        let more = try await FetchProcess(["--max-filesize", "1000", url] + arguments).run()
        #expect(more.status == 11, "\(more)")
        #expect(more.stdout == [])
        #expect(more.folder.names() == [])
        #expect(more.stderrLines.count == 1)
        let same = try await FetchProcess(["--max-filesize", "1001", url] + arguments).run()
        #expect(same.status == 0, "\(same)")
    }

    @Test("--max-filesize ends a body of unknown length, and removes its file")
    func unknownLength() async throws {
        let nginx = try Nginx.shared
        try nginx.addLargeFile("limit-chunked.bin", size: 3 << 20)
        let url = nginx.url("/no-length/limit-chunked.bin")
        let file = try await FetchProcess.run("--max-filesize", "1M", "-O", "out", url)
        #expect(file.status == 11, "\(file)")
        #expect(file.folder.names() == [])
        let output = try await FetchProcess.run("--max-filesize", "1M", "-O", "-", url)
        #expect(output.status == 11, "\(output)")
        #expect(output.stdout == Array(PseudoRandom.bytes(3 << 20).prefix(1 << 20)))
        let enough = try await FetchProcess.run("--max-filesize", "3M", "-q", "-O", "-", url)
        #expect(enough.status == 0, "\(enough)")
        #expect(enough.stdout.count == 3 << 20)
    }

    @Test("--max-filesize counts the whole of a continued file")
    func continued() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url(try nginx.addLargeFile("limit-c.bin", size: 200_000))
        let folder = try TemporaryFolder("limit-c")
        try folder.write(Array(PseudoRandom.bytes(200_000).prefix(150_000)), to: "limit-c.bin.part")
        let result = try await FetchProcess.run("-c", "--max-filesize", "100000", url, in: folder)
        #expect(result.status == 11, "\(result)")
        #expect(folder.size("limit-c.bin.part") == 150_000)
        let all = try await FetchProcess.run("-c", "--max-filesize", "200000", url, in: folder)
        #expect(all.status == 0, "\(all)")
        #expect(folder.read("limit-c.bin") == PseudoRandom.bytes(200_000))
    }

    @Test(
        "--accept-status makes a success of the listed statuses",
        arguments: [("404", 0), ("400-403,404", 0), ("404,410-412", 0), ("400-403", 8), ("500", 8)]
    )
    func acceptStatus(_ list: String, _ status: Int32) async throws {
        let url = try Nginx.shared.url("/status/404")
        let file = try await FetchProcess.run("-q", "--accept-status", list, "-O", "out", url)
        #expect(file.status == status, "\(file)")
        #expect(file.folder.readText("out") == (status == 0 ? "status 404\n" : nil))
        let output = try await FetchProcess.run("-q", "--accept-status", list, "-O", "-", url)
        #expect(output.status == status, "\(output)")
        #expect(output.stdoutText == (status == 0 ? "status 404\n" : ""))
    }

    @Test("--accept-status 401 accepts the response when no credentials are left")
    func acceptUnauthorized() async throws {
        let url = try Nginx.shared.url("/private/hello.txt")
        let result = try await FetchProcess.run(
            "-q",
            "--no-netrc",
            "--accept-status",
            "401",
            "-O",
            "-",
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("401"))
    }

    @Test(
        "--range downloads a part, to a file or to standard output",
        arguments: [("0-4", "Hello"), ("7-", "world!\n"), ("-7", "world!\n"), ("12-99", "!\n")]
    )
    func range(_ range: String, _ part: String) async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let file = try await FetchProcess.run("-q", "-r", range, url)
        #expect(file.status == 0, "\(file)")
        #expect(file.folder.readText("hello.txt") == part)
        let output = try await FetchProcess.run("-q", "--range", range, "-O", "-", url)
        #expect(output.stdoutText == part)
    }

    @Test("a range that the server does not send is an error, and fetch writes nothing")
    func wrongRange() async throws {
        let whole = try Nginx.shared.url("/no-length/hello.txt")
        let result = try await FetchProcess.run("-r", "0-4", "-O", "-", whole)
        #expect(result.status == 7, "\(result)")
        #expect(result.stdout == [])
        let beyond = try await FetchProcess.run(
            "-r",
            "100-",
            "-O",
            "-",
            try Nginx.shared.url("/files/hello.txt")
        )
        #expect(beyond.status == 8, "\(beyond)")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(
                "206 Partial Content",
                ["Content-Range: bytes 1-5/14"],
                body: "ello,"
            )
        }
        let other = try await FetchProcess.run("-r", "0-4", "-O", "out", server.url())
        #expect(other.status == 7, "\(other)")
        #expect(other.folder.names() == [])
        try server.verify()
    }

    @Test(
        "fetch refuses invalid values before it sends anything",
        arguments: [
            ["-r", "5-1"], ["-r", "a-b"], ["-r", "0-1,3-4"], ["-r", "-0"], ["-r", "-"],
            ["-r", "0-1", "-c"], ["-r", "0-1", "-d", "x"], ["--accept-status", "40"],
            ["--accept-status", "404-400"], ["--accept-status", "404,"], ["--accept-type", ""],
            ["--max-filesize", "x"], ["--error-body", "-"],
            ["--error-body", "x", "--content-on-error"],
            ["--error-body", "x", "http://127.0.0.1:9/2"],
        ]
    )
    func usage(_ arguments: [String]) async throws {
        let result = try await FetchProcess(["http://127.0.0.1:9/"] + arguments).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.folder.names() == [])
    }
}

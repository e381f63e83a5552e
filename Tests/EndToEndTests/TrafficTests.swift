import Foundation
import TestSupport
import Testing

/// The output of a run: `-v`, `-i`, `-I` and the bodies of errors.
@Suite("Output of sent and received data", .timeLimit(.minutes(1)))
struct TrafficTests {
    @Test("-vv without a reader does not delay a download, and is written completely at the end")
    func textReadLate() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("events-text", size: 5_000_000)
        let folder = try TemporaryFolder("events")
        let fifo = try Fifo("fifo", in: folder)
        // The pipe is full to the last byte before the first line.
        let process = try FetchProcess(
            shell: #"head -c 65536 /dev/zero >fifo; exec "$FETCH" -vv -O out "$1" 2>fifo"#,
            [nginx.url(path)],
            in: folder
        ).start()
        #expect(await eventually { folder.size("out") == 5_000_000 })
        #expect(process.isRunning)
        let read = await fifo.readAll(of: process)
        let text = String(decoding: read.dropFirst(65_536), as: UTF8.self)
        #expect(try await process.wait().status == 0)
        #expect(text.contains("\n* task 1 didReceiveResponse: HTTP/1.1 200 OK\n"))
        #expect(text.contains("* task 1 didFinishDownloadingTo: \(folder.path("out.part"))\n"))
        #expect(text.contains("* task 1 didCompleteWithError: nil\n"))
        #expect(text.hasSuffix("* session didBecomeInvalidWithError: nil\n"))
    }

    @Test("-v shows the sent and received heads, and the server's address")
    func heads() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-v",
            "-O-",
            "-H",
            "X-One: 1",
            "-H",
            "Authorization: Bearer s3cret",
            nginx.url("/redirect/302")
        )
        #expect(result.status == 0, "\(result)")
        let lines = result.stderrLines
        #expect(lines.filter { $0.hasPrefix("> GET /") }.count == 2, "\(result)")
        #expect(lines.contains("> X-One: 1") && lines.contains("> Authorization: (redacted)"))
        #expect(!result.stderr.contains("s3cret"))
        let statuses = lines.filter { $0.hasPrefix("< HTTP/") }
        #expect(statuses == ["< HTTP/1.1 302 Moved Temporarily", "< HTTP/1.1 200 OK"])
        #expect(lines.contains { $0.hasPrefix("* ") && $0.contains("Trying 127.0.0.1:") })
        #expect(lines.contains { $0.hasPrefix("* Connected to 127.0.0.1") }, "\(result)")
        #expect(!result.stderr.contains("didReceiveResponse"))
        let all = try await FetchProcess.run("-vv", "-O-", nginx.url("/files/hello.txt"))
        #expect(all.stderr.contains("> GET /") && all.stderr.contains("didReceiveResponse"))
    }

    @Test(
        "-v shows the TLS parameters and the certificate's owner",
        arguments: [[], ["--http1.1"]]
    )
    func certificate(flags: [String]) async throws {
        let result = try await FetchProcess(
            ["-v", "-O-", "--ca-certificate", try Certificates.shared.authority] + flags
                + ["-H", "Cookie: a=s3cret", try Nginx.shared.tlsURL("/cookies/set/b/s3cret")]
        ).run()
        #expect(result.status == 0, "\(result)")
        for words in [
            "* SSL connection using TLSv1.", "*  subject:", "*  issuer:", "*  expire date:",
        ] {
            #expect(result.stderr.contains(words), "\(words): \(result)")
        }
        #expect(result.stderr.contains("> GET /cookies/set/b"), "\(result)")
        #expect(result.stderr.lowercased().contains("< set-cookie: (redacted)"), "\(result)")
        #expect(!result.stderr.contains("a=s3cret") && !result.stderr.contains("b=s3cret"))
    }

    @Test("-I prints the head of an error, and of each redirect")
    func head() async throws {
        let nginx = try Nginx.shared
        let missing = try await FetchProcess.run("-qI", nginx.url("/files/none"))
        #expect(missing.status == 8)
        #expect(missing.stdoutText.hasPrefix("HTTP/1.1 404 Not Found\r\n"), "\(missing)")
        let chain = try await FetchProcess.run("-qI", nginx.url("/redirect/302"))
        let statuses = chain.stdoutText.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/") }
        #expect(statuses == ["HTTP/1.1 302 Moved Temporarily", "HTTP/1.1 200 OK"])
        let folder = try TemporaryFolder("run")
        try folder.write("old", to: "head")
        let kept = try await FetchProcess.run(
            "-qI",
            "-O",
            "head",
            nginx.url("/files/none"),
            in: folder
        )
        #expect(kept.status == 8)
        #expect(folder.readText("head") == "old")
    }

    @Test("--include writes heads before the body, and for an error only the head")
    func include() async throws {
        let nginx = try Nginx.shared
        for flag in ["--include", "--show-headers", "-i"] {
            let result = try await FetchProcess.run("-q", flag, nginx.url("/files/hello.txt"))
            let parts = result.stdoutText.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"), "\(result)")
            let body = try await FetchProcess.run("-qO-", nginx.url("/files/hello.txt"))
            #expect(parts.last == body.stdoutText)
        }
        let chain = try await FetchProcess.run("-q", "--include", nginx.url("/redirect/302"))
        #expect(chain.stdoutText.components(separatedBy: "HTTP/1.1 ").count == 3, "\(chain)")
        let missing = try await FetchProcess.run("-q", "--include", nginx.url("/files/none"))
        #expect(missing.status == 8)
        #expect(
            missing.stdoutText.hasPrefix("HTTP/1.1 404") && missing.stdoutText.hasSuffix("\r\n\r\n")
        )
        let several = try await FetchProcess.run(
            "-q",
            "--include",
            nginx.url("/files/hello.txt"),
            nginx.url("/files/none"),
            nginx.url("/files/hello.txt")
        )
        let lines = several.stdoutText.split(whereSeparator: \.isNewline)
        let order = lines.filter { $0.hasPrefix("HTTP/") }
        #expect(order.map { $0.split(separator: " ")[1] } == ["200", "404", "200"], "\(several)")
        let refused = try await FetchProcess.run(
            "--include",
            "-O",
            "f",
            nginx.url("/files/hello.txt")
        )
        #expect(refused.status == 2)
    }

    @Test("-i with a file still reads a list")
    func list() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        try folder.write(nginx.url("/files/hello.txt") + "\n", to: "urls")
        let result = try await FetchProcess.run("-q", "-i", "urls", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.exists("hello.txt"))
    }

    @Test("an interrupted body continues at its last byte with --include")
    func includeRetried() async throws {
        let body = PseudoRandom.bytes(200_000)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard let range = head["Range"] else {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 200000\r\n\r\n"
                )
                return try connection.send(Array(body.prefix(120_000)))
            }
            let from = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
            try connection.respond(
                "206 Partial Content",
                ["ETag: \"a\"", "Content-Range: bytes \(from)-199999/200000"],
                body: Array(body[from...])
            )
        }
        let result = try await FetchProcess.run("-q", "--include", server.url())
        #expect(result.status == 0, "\(result.stderr)")
        #expect(isSameBytes(Array(result.stdout.suffix(200_000)), body))
        #expect(server.heads.last?["Range"] != nil)
    }

    @Test("fetch shows the beginning of an API's error body, and names the flag for all of it")
    func excerpt() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            let isLong = head.target == "/long"
            let isPage = head.target == "/page"
            let text =
                isLong ? String(repeating: "line\n", count: 2_000) : #"{"error":"no\u{1b} name"}"#
            try connection.respond(
                "422 Unprocessable Content",
                ["Content-Type: \(isPage ? "text/html" : "application/json")"],
                body: text
            )
        }
        for flags in [["-d", "x"], ["-O-"], ["-X", "POST", "-O-"]] {
            let result = try await FetchProcess(flags + [server.url()]).run()
            #expect(result.status == 8, "\(result)")
            #expect(result.stdoutText == "")
            #expect(result.stderr.contains("  {\"error\":\"no"), "\(result)")
            #expect(!result.stderr.contains("\u{1b}"))
        }
        let long = try await FetchProcess.run("-d", "x", server.url("/long"))
        #expect(long.stderr.contains("--content-on-error prints all of it"), "\(long)")
        let page = try await FetchProcess.run("-d", "x", server.url("/page"))
        #expect(page.stderr.contains("--content-on-error prints the response's body"), "\(page)")
        let quiet = try await FetchProcess.run("-q", "-d", "x", server.url())
        #expect(quiet.stderrLines.count == 1, "\(quiet)")
        let file = try await FetchProcess.run("-O", "file", server.url())
        #expect(!file.stderr.contains("error\":"))
    }

    @Test("fetch does not wait long for an error's body that the server does not send")
    func slowExcerpt() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nno"
            )
            try connection.waitForPeerToClose()
        }
        let start = ContinuousClock.now
        let result = try await FetchProcess.run("-O-", server.url())
        #expect(result.status == 8, "\(result)")
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}

import TestSupport
import Testing

/// Messages on standard error.
@Suite("Messages", .timeLimit(.minutes(1)))
struct MessagesTests {
    private static let hello = "/files/hello.txt"

    @Test("-q prints nothing for a success and one line for a failure")
    func quiet() async throws {
        let nginx = try Nginx.shared
        let good = try await FetchProcess.run("-q", nginx.url(Self.hello))
        #expect(good.status == 0)
        #expect(good.stderr == "")
        let bad = try await FetchProcess.run("-q", nginx.url("/status/404"))
        #expect(bad.stderrLines == ["fetch: \(nginx.url("/status/404")): 404 Not Found"])
    }

    @Test("-nv prints one line per task")
    func brief() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-nv",
            "-j1",
            nginx.url(Self.hello),
            nginx.url("/status/404"),
            nginx.url("/echo/x")
        )
        #expect(result.status == 8)
        #expect(result.stderrLines.count == 3, "\(result)")
        let lines = result.stderrLines
        #expect(lines.first?.hasPrefix("\(nginx.url(Self.hello)) -> hello.txt: 14 B in ") == true)
        #expect(lines.last?.hasPrefix("\(nginx.url("/echo/x")) -> x: ") == true)
    }

    @Test("T-13 -vv prints each delegate call, and the task's end once and last")
    func verbose() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run("-vv", nginx.url("/redirect/302"))
        #expect(result.status == 0, "\(result)")
        let calls = result.stderrLines.filter { $0.hasPrefix("* task 1 ") }
            .map { $0.dropFirst("* task 1 ".count).prefix { $0 != ":" } }
        #expect(calls.first == "willPerformHTTPRedirection")
        #expect(calls.dropFirst().first == "didReceiveResponse")
        #expect(calls.contains("didWriteData"))
        #expect(
            calls.suffix(3) == [
                "didFinishDownloadingTo", "didFinishCollecting", "didCompleteWithError",
            ]
        )
        #expect(calls.count { $0 == "didCompleteWithError" } == 1)
        #expect(result.stderr.contains("didCompleteWithError: nil\n"))
    }

    @Test("T-06 -vv prints the bytes sent of an upload, and its length", arguments: [true, false])
    func sent(fromPipe: Bool) async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("sent")
        try folder.writePseudoRandom(size: 200_000, to: "file")
        let result = try await FetchProcess(
            [
                "-vv", "--upload-file", fromPipe ? "-" : "file",
                nginx.url("/dav/messages-sent-\(fromPipe)"),
            ],
            in: folder,
            input: fromPipe ? .bytes(PseudoRandom.bytes(200_000)) : .null
        ).run()
        #expect(result.status == 0, "\(result)")
        let expected = fromPipe ? "-1" : "200000"
        #expect(
            result.stderr.contains(
                "totalBytesSent: 200000, totalBytesExpectedToSend: \(expected)\n"
            ),
            "\(result)"
        )
    }

    @Test("-S shows the head of every response, a redirect's before its target's")
    func serverResponse() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run("-S", "-qO-", nginx.url("/redirect/302"))
        #expect(result.status == 0, "\(result)")
        let statuses = result.stderrLines.filter { $0.hasPrefix("  HTTP/") }
        #expect(statuses == ["  HTTP/1.1 302 Moved Temporarily", "  HTTP/1.1 200 OK"])
        #expect(result.stderr.contains("\n  Location: "))
    }

    @Test(
        "fetch escapes control characters from servers",
        arguments: [["-S"], ["-vv"], ["-S", "-vv"]]
    )
    func controls(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let isFirst = head.target == "/"
                let status = isFirst ? "302 F\u{1b}[2Jound" : "404 No\u{9b}31m\u{202e}t"
                let fields = ["Location: /x%1b\u{1b}]0;title\u{7}", "X-A: a\u{1b}[31mb\u{7f}"]
                try connection.respond(status, isFirst ? fields : ["X-A: \u{8}\u{1b}c"])
            }
        }
        let result = try await FetchProcess(arguments + [server.url()]).run()
        #expect(result.status == 8 || result.status == 7, "\(result)")
        let harmful = result.stderr.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202e}"
        }
        #expect(harmful.isEmpty, "\(result)")
        if arguments.contains("-S") { #expect(result.stderr.contains("a\\u{1b}[31mb\\u{7f}")) }
    }

    @Test(
        "no output contains a secret",
        arguments: [[], ["-vv"], ["-S", "-vv"], ["-nv"], ["--dry-run"]]
    )
    func secrets(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let cookie = "Set-Cookie: a=s3cret; Path=/"
                if head.target == "/in" {
                    try connection.respond("302 Found", ["Location: /lost", cookie])
                } else {
                    try connection.respond("404 Not Found", [cookie])
                }
            }
        }
        let result = try await FetchProcess(
            arguments + [
                "-H", "Authorization: Bearer s3cret", "-H", "Cookie: a=s3cret",
                "-H", "Proxy-Authorization: Basic s3cret",
                "http://me:s3cret@127.0.0.1:\(server.port)/in",
            ]
        ).run()
        #expect(result.status == (arguments == ["--dry-run"] ? 0 : 8), "\(result)")
        #expect(!result.stderr.contains("s3cret"), "\(result)")
        #expect(!result.stdoutText.contains("s3cret"), "\(result)")
        #expect(!result.stderr.contains("bWU6czNjcmV0"))
        let refusing = try RefusingPort()
        let failed = try await FetchProcess.run("http://me:s3cret@127.0.0.1:\(refusing.port)/")
        #expect(failed.status == 4)
        #expect(failed.blames("http://(redacted)@127.0.0.1:\(refusing.port)/").count == 1)
        #expect(!failed.stderr.contains("s3cret"))
    }

    @Test("a log is short and has no carriage returns")
    func short() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("messages-short", size: 20_000_000)
        let result = try await FetchProcess.run(nginx.url(path))
        #expect(result.status == 0)
        #expect(result.stderrLines.count <= 12, "\(result)")
        #expect(!result.stderr.utf8.contains(0x0D))
    }

    @Test("a standard error that cannot be written has no effect on the run")
    func fullError() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" -vv -S "$1" 2>/dev/full"#,
            nginx.url(Self.hello)
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("hello.txt") == "Hello, world!\n")
    }

    @Test("-s hides the progress and keeps the errors, as pasted commands expect")
    func pasted() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run("-fsSL", "-R", "-O-", nginx.url("/status/404"))
        #expect(result.status == 8)
        // The body explains the error as text.
        #expect(
            result.stderrLines == [
                "fetch: \(nginx.url("/status/404")): 404 Not Found",
                "fetch: the error's body:", "  status 404",
            ],
            "\(result)"
        )
    }
}

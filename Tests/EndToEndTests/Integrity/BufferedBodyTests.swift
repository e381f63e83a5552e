import Foundation
import TestSupport
import Testing

/// `--hold`: bodies that are written to standard output complete and correct, or not at all.
@Suite("Buffered bodies", .timeLimit(.minutes(1)))
struct BufferedBodyTests {
    private static let script = "echo ran >ran\n" + String(repeating: "# more\n", count: 20_000)

    /// Announces a body's length, and sends only a part of the body.
    private static func cut(_ body: String, after count: Int) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            try connection.send(Array(body.utf8.prefix(count)))
        }
    }

    @Test("a shell runs no line of a truncated script with --hold, and runs some without it")
    func shell() async throws {
        let server = try Self.cut(Self.script, after: 100_000)
        let command = #""$FETCH" -qt1 $1 -O - "$2" >all; echo $?; sh <all"#
        let buffered = try await FetchProcess.shell(command, "--hold", server.url())
        #expect(buffered.stdoutText == "4\n", "\(buffered)")
        #expect(buffered.folder.names() == ["all"])
        #expect(buffered.folder.size("all") == 0)
        let other = try await FetchProcess.shell(command, "-S", server.url())
        #expect(other.stdoutText == "4\n")
        #expect(other.folder.exists("ran"))
    }

    @Test("a shell runs no line of a changed script with --checksum", arguments: [true, false])
    func changed(isRight: Bool) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: Self.script)
        }
        let text = isRight ? Self.script : Self.script + "#"
        let sum = try sha256(Array(text.utf8))
        let result = try await FetchProcess.shell(
            #""$FETCH" -q --checksum "sha256:$1" -O - "$2" | sh"#,
            sum,
            server.url()
        )
        #expect(result.folder.exists("ran") == isRight, "\(result)")
        #expect(result.stderr.contains("expected sha256:") != isRight)
    }

    @Test(
        "an interrupted body is continued or sent again, and written once",
        arguments: [true, false]
    )
    func retried(hasTag: Bool) async throws {
        let body = PseudoRandom.bytes(3_000_000)
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            var lines = ["HTTP/1.1 200 OK", "Content-Length: \(body.count)"]
            if hasTag { lines.append("ETag: \"one\"") }
            if let range = head["Range"] {
                let from = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
                try connection.respond(
                    "206 Partial Content",
                    [
                        "ETag: \"one\"",
                        "Content-Range: bytes \(from)-\(body.count - 1)/\(body.count)",
                    ],
                    body: Array(body[from...])
                )
            } else {
                try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                // Only the first response is cut.
                let isCut = head.target == "/" && connection.number == 0
                try connection.send(isCut ? Array(body.prefix(2_000_000)) : body)
            }
        }
        let temporary = try TemporaryFolder("tmp")
        let result = try await FetchProcess(
            ["-q", "--hold", "--waitretry", "0.1", "-O", "-", server.url()],
            environment: ["TMPDIR": temporary.path]
        ).run()
        #expect(result.status == 0, "\(result.stderr)")
        #expect(isSameBytes(result.stdout, body))
        #expect(server.heads.map { $0["Range"] != nil } == [false, hasTag])
        #expect(temporary.names() == [])
    }

    @Test("several bodies are written in order, each completely or not at all")
    func several() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let text = String(repeating: head.target, count: 1_000)
            let isCut = head.target == "/2"
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count + (isCut ? 1 : 0))\r\n\r\n"
                    + text
            )
        }
        let urls = (1...4).map { server.url("/\($0)") }
        let result = try await FetchProcess(["-qt1", "--hold", "-O", "-"] + urls).run()
        #expect(result.status == 4, "\(result.stderr)")
        let expected = ["/1", "/3", "/4"].map { String(repeating: $0, count: 1_000) }.joined()
        #expect(result.stdoutText == expected)
    }

    @Test("a reader may take longer than --max-time")
    func slowReader() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: PseudoRandom.bytes(3_000_000))
        }
        let result = try await FetchProcess.shell(
            #"""
            { "$FETCH" -q --hold --max-time 1 -O - "$1"; echo $? >&2; } |
                { head -c 1; sleep 3; cat; } | wc -c
            """#,
            server.url()
        )
        #expect(result.stderr == "0\n")
        #expect(result.stdoutText.contains("3000000"))
    }

    @Test("--hold buffers the response to an upload, and prints heads and error bodies")
    func responses() async throws {
        let server = try Self.cut("response", after: 3)
        let sent = try await FetchProcess.run("-q", "--hold", "-d", "x", server.url())
        #expect(sent.status == 4)
        #expect(sent.stdoutText == "")
        let nginx = try Nginx.shared
        let head = try await FetchProcess.run("-q", "--hold", "-I", nginx.url("/files/hello.txt"))
        #expect(head.stdoutText.hasPrefix("HTTP/1.1 200 OK"))
        let missing = ["-q", "--hold", "--content-on-error", "-O", "-", nginx.url("/files/none")]
        let error = try await FetchProcess(missing).run()
        #expect(error.status == 8)
        #expect(error.stdoutText.contains("404"))
    }
}

import Foundation
import TestSupport
import Testing

/// Request bodies.
@Suite("Uploads", .timeLimit(.minutes(2)))
struct UploadTests {
    /// A server that responds to every request with its method and body.
    private static func mirror() throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            let body = try connection.readBody(head)
            try connection.respond(body: Array("\(head.method) ".utf8) + body)
        }
    }

    @Test(
        "T-03 fetch posts data, and writes the response to standard output",
        arguments: [
            (["-d", "a=1"], "POST a=1", "application/x-www-form-urlencoded"),
            (["-d", "a=1", "-d", "b=2"], "POST a=1&b=2", "application/x-www-form-urlencoded"),
            (["-d", "@file"], "POST onetwo", "application/x-www-form-urlencoded"),
            (["-d", ""], "POST ", "application/x-www-form-urlencoded"),
            (["--data-binary", "@file"], "POST one\r\ntwo\n", "application/x-www-form-urlencoded"),
            (["--json", "{}"], "POST {}", "application/json"),
            (["-X", "PATCH", "--json", "{}"], "PATCH {}", "application/json"),
            (["--post-file", "file"], "POST one\r\ntwo\n", "application/x-www-form-urlencoded"),
            (["-d", "x", "-H", "content-type: text/plain"], "POST x", "text/plain"),
        ]
    )
    func data(arguments: [String], seen: String, type: String) async throws {
        let server = try Self.mirror()
        let folder = try TemporaryFolder("upload")
        try folder.write("one\r\ntwo\n", to: "file")
        let result = try await FetchProcess(arguments + [server.url("/x")], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == seen)
        #expect(server.heads.first?.values("Content-Type") == [type])
        #expect(server.heads.first?["Content-Length"] != nil)
        #expect(folder.names() == ["file"])
    }

    @Test("HTTP/1.0 sends a file on standard input, and refuses a pipe, whose length is unknown")
    func oldVersion() async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess.shell(
            #"echo abc >f; for flag in --upload-file --data-binary; do "#
                + #"[ $flag = --upload-file ] && file=- || file=@-; "#
                + #""$FETCH" -q -0 $flag $file "$1" <f; echo; "#
                + #"echo abc | "$FETCH" -q -0 -O- --upload-file - "$1"; echo $?; done"#,
            server.url("/x")
        )
        #expect(result.stdoutText == "PUT abc\n\n2\nPOST abc\n\n2\n", "\(result)")
        #expect(result.stderr.contains("HTTP/1.0 sends the length"), "\(result)")
        #expect(server.heads.allSatisfy { $0["Content-Length"] == "4" })
        #expect(server.requestCount == 2)
    }

    @Test("T-04 fetch puts a whole file, under its own name where the URL ends in a slash")
    func file() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("upload")
        let bytes = PseudoRandom.bytes(4_000_000, seed: 4)
        try folder.write(bytes, to: "upload a&b")
        let result = try await FetchProcess.run(
            "--upload-file",
            "upload a&b",
            nginx.url("/dav/"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(nginx.uploaded("upload a&b") == bytes)
    }

    @Test("T-04 an empty file is a body of length 0")
    func emptyFile() async throws {
        let server = try Self.mirror()
        let folder = try TemporaryFolder("upload")
        try folder.write([], to: "empty")
        let result = try await FetchProcess.run(
            "--upload-file",
            "empty",
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?["Content-Length"] == "0")
    }

    @Test(
        "T-05 standard input from a pipe is sent chunked",
        arguments: [["--upload-file", "-"], ["--data-binary", "@-"], ["--json", "@-"]]
    )
    func pipe(arguments: [String]) async throws {
        let server = try Self.mirror()
        let bytes = PseudoRandom.bytes(1_000_000)
        let result = try await FetchProcess(
            arguments + [server.url("/x")],
            input: .bytes(bytes)
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(Array(result.stdout.drop { $0 != UInt8(ascii: " ") }.dropFirst()) == bytes)
        #expect(server.heads.first?["Transfer-Encoding"] == "chunked")
        #expect(server.heads.first?["Content-Length"] == nil)
    }

    @Test("T-05 the bytes of a pipe are sent before the pipe ends")
    func pipeIsLive() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            #expect(try connection.read(exactly: 8) == Array("5\r\nfirst".utf8))
            gate.open()
            #expect(try connection.read(exactly: 17) == Array("\r\n5\r\nlater\r\n0\r\n\r\n".utf8))
            try connection.respond()
        }
        let process = try FetchProcess(["--upload-file", "-", server.url("/x")], input: .pipe)
            .start()
        try await process.write("first")
        #expect(await gate.isOpened())
        try await process.write("later")
        process.closeInput()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(server.errors.isEmpty)
    }

    @Test("T-05 standard input from a file has a length, from its current offset")
    func standardInputFile() async throws {
        let server = try Self.mirror()
        let folder = try TemporaryFolder("upload")
        try folder.write("first\nsecond\n", to: "file")
        let result = try await FetchProcess.shell(
            #"{ read -r line; "$FETCH" --upload-file - "$1"; } <file"#,
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "PUT second\n")
        #expect(server.heads.first?["Content-Length"] == "7")
    }

    @Test("an upload's response is written to the file of -O, completely or not at all")
    func responseToFile() async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess.run("-d", "x", "-O", "response", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout == [])
        #expect(result.folder.readText("response") == "POST x")
        #expect(result.folder.names() == ["response"])
    }

    @Test("a refusal before the body was read is an ordinary response")
    func earlyRefusal() async throws {
        let server = try SocketServer(receiveBuffer: 4_096) { connection in
            _ = try connection.readHead()
            try connection.respond("413 Content Too Large", ["Connection: close"], body: "no")
            connection.finishSending()
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("upload")
        try folder.writePseudoRandom(size: 8_000_000, to: "large")
        let result = try await FetchProcess.run(
            "--upload-file",
            "large",
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 8, "\(result)")
        #expect(result.blames(server.url("/x")).count == 1)
        #expect(result.stdout == [])
    }

    @Test("a stream without a length arrives whole over HTTP/2")
    func http2() async throws {
        let nginx = try Nginx.shared
        let bytes = PseudoRandom.bytes(700_000, seed: 2)
        let result = try await FetchProcess(
            [
                "--ca-certificate", nginx.certificates.authority, "--upload-file", "-",
                nginx.http2URL("/dav/upload-http2"),
            ],
            input: .bytes(bytes)
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(nginx.uploaded("upload-http2") == bytes)
        let log = await nginx.accessLog("/dav/upload-http2", waitingFor: 1)
        #expect(log.map(\.version) == ["HTTP/2.0"])
    }

    @Test("a file that cannot be read is status 3, and fetch sends nothing")
    func missingFile() async throws {
        let server = try Self.mirror()
        for flag in ["--upload-file", "--post-file"] {
            let result = try await FetchProcess.run(flag, "missing", server.url("/x"))
            #expect(result.status == 3, "\(result)")
            #expect(result.stderr.hasPrefix("fetch: missing: "))
            #expect(result.stderrLines.count == 1)
        }
        #expect(!server.wasCalled)
    }
}

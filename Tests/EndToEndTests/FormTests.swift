import TestSupport
import Testing

/// Bodies of `multipart/form-data`.
@Suite("Forms", .timeLimit(.minutes(1)))
struct FormTests {
    /// A form as the server received it: the body, with the boundary replaced by `BOUNDARY`.
    private static func send(
        _ arguments: [String],
        in folder: TemporaryFolder? = nil,
        input: ProcessInput = .null
    ) async throws -> (head: HTTPHead, body: String) {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: connection.readBody(head))
        }
        let command = try FetchProcess(arguments + [server.url()], in: folder, input: input)
        let result = try await command.run()
        #expect(result.status == 0, "\(result)")
        let head = try #require(server.heads.first)
        let type = try #require(head["Content-Type"])
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
        #expect(boundary.count >= 16)
        let body = result.stdoutText.split(separator: boundary, omittingEmptySubsequences: false)
        return (head, body.joined(separator: "BOUNDARY"))
    }

    @Test("the client sends fields in order, in RFC 7578's form")
    func fields() async throws {
        let (head, body) = try await Self.send(["-F", "a=1", "-F", "b=x y;type=text/html"])
        #expect(head.method == "POST")
        #expect(
            body == """
                --BOUNDARY\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --BOUNDARY\r
                Content-Disposition: form-data; name="b"\r
                Content-Type: text/html\r
                \r
                x y\r
                --BOUNDARY--\r

                """
        )
        #expect(head["Content-Length"] != nil)
        #expect(head["Transfer-Encoding"] == nil)
    }

    @Test(
        "the client attaches a file with its name and type",
        arguments: [
            ("f=@up.txt", "name=\"f\"; filename=\"up.txt\"\r\nContent-Type: text/plain\r\n"),
            ("f=@up.txt;filename=x", "name=\"f\"; filename=\"x\"\r\nContent-Type: text/plain\r\n"),
            ("f=@up.txt;filename=x.png", "filename=\"x.png\"\r\nContent-Type: image/png\r\n"),
            ("f=@up.txt;filename=x.zz", "filename=\"x.zz\"\r\nContent-Type: text/plain\r\n"),
            ("f=@up.txt;type=a/b", "filename=\"up.txt\"\r\nContent-Type: a/b\r\n"),
            ("f=<up.txt", "name=\"f\"\r\n"),
            ("a\"b=@up.txt", "name=\"a%22b\"; filename=\"up.txt\""),
        ]
    )
    func files(field: String, part: String) async throws {
        let folder = try TemporaryFolder("form")
        try folder.write("one\r\ntwo\n", to: "up.txt")
        let (head, body) = try await Self.send(["-F", field], in: folder)
        #expect(body.contains(part), "\(body)")
        #expect(body.contains("\r\n\r\none\r\ntwo\n\r\n--BOUNDARY--\r\n"), "\(body)")
        #expect(head["Content-Length"] != nil)
    }

    @Test("the client streams a large file completely")
    func large() async throws {
        let folder = try TemporaryFolder("form")
        let bytes = PseudoRandom.bytes(3_000_000, seed: 9)
        try folder.write(bytes, to: "large")
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-X",
            "PUT",
            "-F",
            "f=@large",
            nginx.url("/dav/form-large"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        let stored = try #require(nginx.uploaded("form-large"))
        let start = try #require(Self.endOfHead(stored))
        #expect(stored[start...].starts(with: bytes))
        #expect(stored.suffix(4) == Array("--\r\n".utf8)[...])
    }

    @Test("a part from standard input makes the form chunked")
    func standardInput() async throws {
        let (head, body) = try await Self.send(["-F", "a=1", "-F", "f=@-"], input: .text("piped"))
        #expect(head["Transfer-Encoding"] == "chunked")
        #expect(body.contains("\r\n\r\npiped\r\n--BOUNDARY--\r\n"), "\(body)")
    }

    @Test("--form-string takes a value literally")
    func literal() async throws {
        let (_, body) = try await Self.send(["--form-string", "a=@up.txt;type=x/y"])
        #expect(body.contains("\r\n\r\n@up.txt;type=x/y\r\n"), "\(body)")
    }

    @Test("a missing file is status 3, and fetch sends nothing")
    func missing() async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.run("-F", "f=@missing", server.url())
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("missing: No such file"))
        #expect(!server.wasCalled)
    }

    /// The start of the part's content.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        return bytes.indices.prefix(1_000).first { bytes[$0...].starts(with: end) }.map { $0 + 4 }
    }
}

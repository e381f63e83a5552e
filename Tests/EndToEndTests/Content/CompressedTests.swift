import TestSupport
import Testing

/// Coded bodies, for standard output and files.
@Suite("Compressed bodies", .timeLimit(.minutes(1)))
struct CompressedTests {
    private static let text = Coder.text(20_000)

    private static func server(_ coding: String, _ body: [UInt8]) throws -> SocketServer {
        try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.respond("200 OK", ["Content-Encoding: \(coding)"], body: body)
            }
        }
    }

    @Test(
        "fetch requests a compressed body for standard output, and decodes it",
        arguments: [[], ["--compressed"], ["--compression=auto"], ["-d", "x"]]
    )
    func standardOutput(flags: [String]) async throws {
        let server = try Self.server("br", Coder.br.code(Self.text))
        let result = try await FetchProcess(flags + ["-O", "-", server.url()]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.elementsEqual(Self.text))
        #expect(server.heads.first?["Accept-Encoding"] == "gzip, deflate, br, zstd")
        try server.verify()
    }

    @Test("fetch decodes Apache's brotli and nginx's gzip")
    func realServers() async throws {
        _ = try Nginx.shared.addFile("compressed-e2e.txt", bytes: Self.text)
        let result = try await FetchProcess.run(
            "-qO-",
            try Nginx.shared.url("/gzip/compressed-e2e.txt"),
            try Apache.shared.url("/coded/br/text.txt")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.elementsEqual(Self.text + Self.text))
    }

    @Test(
        "fetch writes the bytes as sent where the user requests that",
        arguments: [
            (["--no-compressed"], nil), (["--compression", "none"], nil),
            (["-H", "Accept-Encoding: gzip"], "gzip"),
        ] as [([String], String?)]
    )
    func raw(flags: [String], asked: String?) async throws {
        let coded = Coder.gzip.code(Self.text)
        let server = try Self.server("gzip", coded)
        let result = try await FetchProcess(flags + ["-O", "-", server.url()]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.elementsEqual(coded))
        #expect(server.heads.first?["Accept-Encoding"] == asked)
        try server.verify()
    }

    @Test("a pasted curl command with its own Accept-Encoding and --compressed decodes the body")
    func pasted() async throws {
        let server = try Self.server("gzip", Coder.gzip.code(Self.text))
        let result = try await FetchProcess.run(
            "--compressed",
            "-H",
            "Accept-Encoding: gzip, br",
            "-O",
            "-",
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.elementsEqual(Self.text))
        #expect(server.heads.first?["Accept-Encoding"] == "gzip, br")
        try server.verify()
    }

    @Test("-H Accept-Encoding: sends no field, and fetch decodes a coded body")
    func removed() async throws {
        let server = try Self.server("zstd", Coder.zstd.code(Self.text))
        let result = try await FetchProcess.run("-H", "Accept-Encoding:", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.elementsEqual(Self.text))
        #expect(server.heads.first?["Accept-Encoding"] == nil)
        try server.verify()
    }

    @Test("a file gets the coded bytes, and a message reports their coding")
    func stored() async throws {
        let coded = Coder.gzip.code(Self.text)
        let server = try Self.server("gzip", coded)
        let words = "the server sent it gzip-encoded; --compressed decodes it"
        for (flags, isSaid) in [
            ([], true), (["-q"], false), (["-H", "Accept-Encoding: gzip"], false),
        ] {
            let result = try await FetchProcess(flags + ["-O", "out.gz", server.url()]).run()
            #expect(result.status == 0, "\(result)")
            #expect(result.folder.read("out.gz")?.elementsEqual(coded) == true)
            #expect(result.stderr.contains(words) == isSaid, "\(result)")
        }
        #expect(server.heads.map { $0["Accept-Encoding"] } == [nil, nil, "gzip"])
        let other = try Self.server("x-own", coded)
        let unknown = try await FetchProcess(["-O", "x", other.url()]).run()
        try other.verify()
        #expect(unknown.stderr.contains("the server sent it x-own-encoded\n"), "\(unknown)")
    }

    @Test("fetch requests a coded file with --compressed, and writes the decoded body")
    func unpacked() async throws {
        for coder in [Coder.gzip, .br] {
            let server = try Self.server(coder == .gzip ? "gzip" : "br", coder.code(Self.text))
            let sum = try sha256(Self.text)
            let result = try await FetchProcess.run(
                "--compressed",
                "--checksum",
                "sha256:\(sum)",
                "-O",
                "out",
                server.url()
            )
            #expect(result.status == 0, "\(result)")
            #expect(result.folder.read("out")?.elementsEqual(Self.text) == true)
            #expect(result.folder.names() == ["out"])
            #expect(server.heads.map { $0["Accept-Encoding"] } == ["gzip, deflate, br, zstd"])
            #expect(!result.stderr.contains("warning"))
        }
        _ = try Nginx.shared.addFile("compressed-file.txt", bytes: Self.text)
        let url = try Nginx.shared.url("/gzip/compressed-file.txt")
        let real = try await FetchProcess.run("--compressed", url)
        #expect(real.folder.read("compressed-file.txt")?.elementsEqual(Self.text) == true)
    }

    @Test("an interrupted coded download starts over: fetch requests no range of a coded body")
    func broken() async throws {
        let coded = Coder.gzip.code(Self.text)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let isCut = connection.number == 0
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: \(coded.count)\r\n\r\n"
            )
            try connection.send(isCut ? Array(coded.prefix(coded.count / 2)) : coded)
        }
        let result = try await FetchProcess.run(
            "--compressed",
            "--waitretry",
            "0.05",
            "-O",
            "out",
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.read("out")?.elementsEqual(Self.text) == true)
        #expect(server.heads.map { $0["Range"] } == [nil, nil])
        let refused = try await FetchProcess.run("--compressed", "-c", "-O", "out", server.url())
        #expect(refused.status == 2)
    }

    /// Defects of a coded body.
    enum Damage: String, CaseIterable, Sendable {
        case truncated, trailing, broken, unknown

        func body() -> [UInt8] {
            var coded = Coder.gzip.code(text)
            switch self {
            case .truncated: coded.removeLast(10)
            case .trailing: coded += [1]
            case .broken: coded[coded.count - 6] ^= 1
            case .unknown: break
            }
            return coded
        }

        var words: String {
            switch self {
            case .truncated: "the gzip body ends inside a member after \(body().count) bytes"
            case .trailing: "the gzip body continues with other data"
            case .broken: "the gzip body is broken (incorrect data check)"
            case .unknown: "the body is encoded as \"x-pack\""
            }
        }
    }

    @Test(
        "a damaged coded body is status 7, and the message names the damage",
        arguments: Damage.allCases
    )
    func damaged(damage: Damage) async throws {
        let server = try Self.server(damage == .unknown ? "x-pack" : "gzip", damage.body())
        let result = try await FetchProcess.run("-O", "-", server.url())
        #expect(result.status == 7, "\(result)")
        #expect(result.blames(server.url()).count == 1)
        #expect(result.stderr.contains(damage.words), "\(result)")
        // The bytes before the damage may have been written.
        #expect(Self.text.starts(with: result.stdout))
        try server.verify()
    }

    @Test("a decompression bomb needs constant memory, and a closed pipe ends it")
    func bomb() async throws {
        let member = Coder.gzip.code(Array(repeating: 0, count: 16 << 20))
        let body = Array(repeatElement(member, count: 16).joined())
        let server = try Self.server("gzip", body)
        let result = try await FetchProcess(
            shell: #""$FETCH" -qO - "$1" | wc -c"#,
            [server.url()]
        ).run()
        #expect(result.stdoutText.contains("\(256 << 20)"), "\(result)")
        let alone = try await FetchProcess(["-qO", "/dev/null", server.url()])
            .measuringMemory().run()
        #expect(alone.status == 0, "\(alone)")
        #expect(alone.maxResidentKiB < 64 << 10 || !Sanitizer.isOff)
        let closed = try await FetchProcess(
            shell: #"("$FETCH" -qO - "$1"; echo "ended with $?" >&2) | head -c 10 >/dev/null"#,
            [server.url()]
        ).run()
        #expect(closed.stderr.contains("ended with 141"), "\(closed)")
    }

    @Test("T-11 parts are written one after the other, and each response is shown")
    func parts() async throws {
        let type = "Content-Type: multipart/x-mixed-replace; boundary=b"
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let body = "--b\r\nX-Part: 1\r\n\r\none\n\r\n--b\r\nX-Part: 2\r\n\r\ntwo\n\r\n--b--\r\n"
            try connection.respond("200 OK", [type], body: body)
        }
        let result = try await FetchProcess.run("-vv", "-S", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "one\ntwo\n")
        #expect(result.stderrLines.filter { $0.contains("X-Part: ") }.count == 2)
        #expect(
            result.stderrLines.count {
                $0.contains("didReceive response") || $0.contains("didReceiveResponse")
            } == 3,
            "\(result)"
        )
        try server.verify()
    }
}

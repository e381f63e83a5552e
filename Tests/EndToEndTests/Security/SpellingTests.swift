import Synchronization
import TestSupport
import Testing

/// Spellings of hosts that two parsers may read as different hosts.
@Suite("Spelling of hosts", .timeLimit(.minutes(1)))
struct SpellingTests {
    /// The first byte of each connection.
    private final class FirstBytes: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// Targets of a redirect; `HOME` is the credential's origin, `OTHER` another one.
    private static let targets = [
        "http://OTHER/", "//OTHER/", "HTTP://OTHER/", "http://u:p@OTHER/", "http://HOME@OTHER/",
        "http://HOME%2f@OTHER/", "http://HOME%23@OTHER/", "http://HOME;@OTHER/",
        "http://HOME\\@OTHER/",
        "http://a;b:c@OTHER/", "http://OTHER#@HOME/", "http://OTHER?@HOME/", "http://OTHER/@HOME/",
        "http://OTHER\\@HOME/", "http:\\\\OTHER/", "/\\OTHER/", "http:OTHER/", "http:///OTHER/",
        "http://OTHER%0d%0aHost:%20HOME/", "http://OTHER%00.HOME/", "http://HOME%00.OTHER/",
        "http://OTHER\t/", " http://OTHER/", "http://127。0。0。1:PORT/", "http://①27.0.0.1:PORT/",
        "http://0x7f000001:PORT/", "http://2130706433:PORT/", "http://[::ffff:127.0.0.1]:PORT/",
    ]

    @Test(
        "T-09 a credential stays with its origin, however a redirect's target is spelled",
        arguments: targets
    )
    func credential(target: String) async throws {
        let other = try SocketServer { connection in
            while try connection.nextHead() != nil { try connection.respond(body: "there") }
        }
        let home = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "/in" else { return try connection.respond(body: "home") }
            let location =
                target.replacing(
                    "HOME",
                    with: "127.0.0.1:\(head["Host"]?.split(separator: ":").last ?? "")"
                )
                .replacing("OTHER", with: "127.0.0.1:\(other.port)")
                .replacing("PORT", with: "\(other.port)")
            try connection.respond("302 Found", ["Location: \(location)", "Connection: close"])
        }
        let result = try await FetchProcess.run(
            "-O-",
            "-t1",
            "-T5",
            "--auth",
            "basic",
            "-u",
            "me:s3cret",
            home.url("/in"),
            environment: ["no_proxy": "*"]
        )
        #expect(result.signal == nil, "\(result)")
        #expect(home.heads.first?["Authorization"] != nil, "\(result)")
        for head in other.heads {
            #expect(head["Authorization"] == nil && !head.text.contains("s3cret"), "\(head)")
        }
        #expect(!result.stderr.contains("s3cret"), "\(result)")
    }

    /// Lines of a file in curl's format, and URLs whose hosts require TLS by them.
    private static let promises = [
        (["a.example 2099"], "http://a.example./"), (["a.example. 2099"], "http://a.example/"),
        (["a.example 2099"], "http://A.eXample/"), (["A.EXAMPLE 2099"], "http://a.example/"),
        (["a.example 2099"], "http://a\u{3002}example/"),
        (["a.example 2099"], "http://\u{ff41}.example/"),
        (["xn--mnchen-3ya.example 2099"], "http://M\u{fc}nchen.example/"),
        ([".a.example 2099"], "http://b.a.example./"),
        // An entry of a host above or below does not expire together with the other.
        ([".a.example 2001", "b.a.example 2099"], "http://b.a.example/"),
        (["b.a.example 2099", ".a.example 2001"], "http://b.a.example/"),
        ([".a.example 2099", "b.a.example 2001"], "http://b.a.example/"),
        (["nonsense", "\u{212a} 2099", "a.example 2099"], "http://a.example/"),
    ]

    @Test(
        "S-02 fetch uses TLS with a host that requires it, however a URL spells the host",
        arguments: promises
    )
    func strictTransport(lines: [String], url: String) async throws {
        let seen = FirstBytes()
        let server = try SocketServer { connection in
            let first = try connection.read(exactly: 1)
            seen.bytes.withLock { $0 += first }
        }
        let folder = try TemporaryFolder("promises")
        let text = lines.map { line in
            let parts = line.split(separator: " ")
            return parts.count == 2 ? "\(parts[0]) \"\(parts[1])0101 00:00:00\"\n" : "\(line)\n"
        }
        try folder.write(text.joined(), to: "hosts")
        let names = [
            "a.example", "a.example.", "b.a.example", "b.a.example.", "xn--mnchen-3ya.example",
        ]
        .flatMap { ["--resolve", "\($0):\(server.port):127.0.0.1"] }
        let host = url.dropFirst("http://".count).dropLast()
        let result = try await FetchProcess(
            ["-qO-", "-t1", "--hsts-file", "hosts"] + names + ["http://\(host):\(server.port)/"],
            in: folder
        ).run()
        // A TLS handshake begins with this byte, and the server does not reply to it.
        #expect(seen.bytes.withLock { Set($0) } == [0x16], "\(result)")
        #expect(result.status == 4 || result.status == 5, "\(result)")
    }
}

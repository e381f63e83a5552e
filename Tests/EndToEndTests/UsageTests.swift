import TestSupport
import Testing

/// Invalid command lines, and those that only request information.
@Suite("Usage", .timeLimit(.minutes(1)))
struct UsageTests {
    /// Command lines in which `URL` stands for a server that must not be called, and a word of the
    /// message.
    static let wrong: [([String], String)] = [
        ([], "missing URL"), (["-O", "out"], "missing URL"),
        (["--no-such-flag", "URL"], "unknown option --no-such-flag"),
        (["--conect-timeout", "1", "URL"], "--connect-timeout"),
        (["--max-redirects", "1", "URL"], "--max-redirect"), (["--out", "x", "URL"], "--output"),
        (["-p", "URL"], "-p"), (["-E", "URL"], "--certificate"),
        (["-A", "*.pdf", "URL"], "recursion"), (["--quiet=yes", "URL"], "--quiet"),
        (["-T", "soon", "URL"], "-T"), (["-T", "-1", "URL"], "-T"),
        (["--max-redirect", "x", "URL"], "--max-redirect"),
        (["--limit-rate", "1x", "URL"], "--limit-rate"),
        (["--redirect", "maybe", "URL"], "follow"),
        (["--tls-min", "2", "URL"], "1.3"),
        (["--tls-min", "1.3", "--tls-max", "1.2", "URL"], "1.2"),
        (["-4", "-6", "URL"], "-6"), (["--http1.1", "--http2", "URL"], "--http2"),
        (["-d", "x", "--json", "{}", "URL"], "one body"), (["-I", "-d", "x", "URL"], "--head"),
        (["-d", "@-", "--data", "x", "URL"], "standard input"),
        (["--upload-file", "-", "URL", "URL"], "standard input"),
        (["-O", "out", "URL", "URL"], "several URLs"),
        (["--private-key", "k", "URL"], "--certificate"),
        (["--resolve", "x", "URL"], "HOST:PORT:ADDRESS"),
        (["--resolve", "a:1:not-an-address", "URL"], "IP address"),
        (["--pinned-pubkey", "sha256//short", "URL"], "--pinned-pubkey"),
        (["-H", "no colon", "URL"], "colon"), (["-F", "novalue", "URL"], "-F"),
        (["-X", "CONNECT", "URL"], "tunnel"), (["ftp://127.0.0.1/x"], "http, https"),
        (["http://"], "host"), (["http:///x"], "host"),
        (["http://h:99999/"], "port"), (["http://h:x/"], "port"),
        (["http://[::1/"], "'http://[::1/'"),
        (["http://a b/"], "'http://a b/'"), (["", "URL"], "''"), (["http:/h/x"], "host"),
        (["URL", "ftp://x/"], "http, https"), (["-output", "x", "URL"], "--output"),
        (["--background-list", "URL"], "a URL"), (["--background-cancel", "s", "URL"], "a URL"),
        (["--background-list", "-O", "out"], "--output"),
    ]

    @Test(
        "an invalid command line is status 2, and fetch sends nothing and changes no file",
        arguments: wrong
    )
    func refused(arguments: [String], word: String) async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("usage")
        try folder.write("old", to: "out")
        let result = try await FetchProcess(
            arguments.map { $0 == "URL" ? server.url("/out") : $0 },
            in: folder
        ).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains(word), "\(result)")
        #expect((1...2).contains(result.stderrLines.count))
        #expect(result.stderrLines.allSatisfy { $0.hasPrefix("fetch: ") })
        #expect(result.stdout == [])
        #expect(!server.wasCalled)
        #expect(folder.names() == ["out"])
        #expect(folder.readText("out") == "old")
    }

    @Test("fetch refuses an unknown flag, and names similar flags")
    func near() async throws {
        let result = try await FetchProcess.run("--no-check-certificat", "http://x.example/")
        #expect(
            result.stderrLines == [
                "fetch: unknown option --no-check-certificat",
                "fetch: did you mean --no-check-certificate?",
            ]
        )
    }

    @Test(
        "fetch does not show the password of a URL that it refuses",
        arguments: [
            "ftp://me:s3cret@h/", "http://me:s3cret@h:99999/", "http://me:s3c/s3cret@h x/",
            "http://me:s3cret@", "-x=http://me:s3cret@h/",
        ]
    )
    func redacted(url: String) async throws {
        let result = try await FetchProcess.run(url)
        #expect(result.status == 2, "\(result)")
        #expect(!result.stderr.contains("s3cret"))
    }

    @Test(
        "--help and --version print to standard output",
        arguments: [
            (["--help"], "Usage: fetch [options] URL...\n"), (["-h", "--nonsense"], "Usage: "),
            (["--version"], "fetch "), (["-V"], "fetch "),
        ]
    )
    func information(arguments: [String], beginning: String) async throws {
        let result = try await FetchProcess(arguments).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.hasPrefix(beginning))
        #expect(result.stderr == "")
        let closed = try await FetchProcess.shell(
            #"{ "$FETCH" "$1"; echo "status $?" >&2; } | :"#,
            arguments[0]
        )
        #expect(["status 0\n", "status 141\n"].contains(closed.stderr))
        let full = try await FetchProcess.shell(#""$FETCH" "$1" >/dev/full"#, arguments[0])
        #expect(full.status == 3, "\(full)")
    }

    @Test("--dry-run shows the request and the task, sends nothing and changes nothing")
    func dryRun() async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("dry")
        try folder.write("body", to: "file")
        let result = try await FetchProcess.run(
            "--dry-run",
            "-P",
            "new",
            "-H",
            "Authorization: Bearer s3cret",
            "http://me:s3cret@127.0.0.1:\(server.port)/x",
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.hasPrefix("GET http://(redacted)@127.0.0.1:\(server.port)/x\n"))
        #expect(result.stdoutText.contains("Authorization: (redacted)\n"))
        #expect(result.stdoutText.contains("task: download to new/x (numbered if it exists)\n"))
        #expect(!result.stdoutText.contains("s3cret"))
        let upload = try await FetchProcess.run(
            "--dry-run",
            "--upload-file",
            "-",
            server.url("/x"),
            in: folder,
            input: .pipe,
            timeLimit: .seconds(10)
        )
        #expect(upload.status == 0, "\(upload)")
        #expect(upload.stdoutText.contains("body: standard input, length unknown\n"))
        #expect(!server.wasCalled)
        #expect(folder.names() == ["file"])
    }
}

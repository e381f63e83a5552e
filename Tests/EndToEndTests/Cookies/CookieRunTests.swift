import Foundation
import TestSupport
import Testing

/// Cookies from run to run.
@Suite("Cookies", .timeLimit(.minutes(2)))
struct CookieRunTests {
    static let state = ".local/state/fetch/sessions/s/cookies.txt"

    private static func echo(
        _ arguments: String...,
        home: TemporaryFolder? = nil,
        in folder: TemporaryFolder? = nil
    ) async throws -> String? {
        let url = try Nginx.shared.url("/echo/cookies")
        let result = try await FetchProcess(["-qO-"] + arguments + [url], in: folder, home: home)
            .run()
        guard result.status == 0 else { return "\(result)" }
        return result.stdoutText.split(separator: "\n").first { $0.hasPrefix("cookie:") }
            .map { String($0.dropFirst("cookie: ".count)) }
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("S-02 cookies end with the run, and cookies stored by an older build are not sent")
    func forgotten() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        let first = try await FetchProcess.run(
            "-qj1",
            "-O-",
            nginx.url("/cookies/set/lasting/1"),
            nginx.url("/echo/cookies"),
            home: home
        )
        #expect(first.stdoutText.contains("cookie: lasting=1\n"), "\(first)")
        #expect(home.names() == [])
        #expect(try await Self.echo(home: home) == "")
        let left = "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\told\t1\n"
        try home.write("# Netscape HTTP Cookie File\n" + left, to: ".local/state/fetch/cookies.txt")
        #expect(chmod(home.path(".local/state/fetch/cookies.txt"), 0o600) == 0)
        #expect(try await Self.echo(home: home) == "")
        #expect(try await Self.echo("--session", "s", home: home) == "")
    }

    @Test("S-02 --session sends its cookies in later runs, including session cookies")
    func kept() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        let first = try await FetchProcess.run(
            "-qj1",
            "-O-",
            "--session",
            "s",
            nginx.url("/cookies/set/lasting/1"),
            nginx.url("/cookies/session/short/2"),
            nginx.url("/echo/cookies"),
            home: home
        )
        #expect(first.status == 0, "\(first)")
        #expect(first.stdoutText.contains("cookie: lasting=1; short=2\n"))
        #expect(try Self.mode(home.path(Self.state)) == 0o600)
        #expect(try Self.mode(home.path(".local/state/fetch/sessions/s")) == 0o700)
        let both = "lasting=1; short=2"
        #expect(try await Self.echo("--session", "s", home: home) == both)
        let written = home.modified(Self.state)
        #expect(try await Self.echo(home: home) == "")
        #expect(try await Self.echo("--session", "other", home: home) == "")
        #expect(try await Self.echo("--session", "s", "--no-cookies", home: home) == "")
        #expect(try await Self.echo("--ephemeral", home: home) == "")
        let mine = try await Self.echo("--session", "s", "--cookie", "mine=1", home: home)
        #expect(mine == both + "; mine=1")
        #expect(home.modified(Self.state) == written)
        _ = try await FetchProcess.run(
            "-qO-",
            "--session",
            "s",
            nginx.url("/cookies/delete/lasting"),
            home: home
        )
        #expect(try await Self.echo("--session", "s", home: home) == "short=2")
    }

    @Test("a run without cookies leaves no state")
    func nothing() async throws {
        let result = try await FetchProcess.run("-qO-", Nginx.shared.url("/files/hello.txt"))
        #expect(result.status == 0)
        #expect(!result.home.exists(".local"))
    }

    @Test("C-03 the user's own cookies go to the first URL's origin only, and are redacted")
    func own() async throws {
        let nginx = try Nginx.shared
        let secret = "s3cr3t"
        for source in [
            ["--cookie", "a=\(secret); b=2"], ["--cookie=@jar"], ["--cookie", "env:JAR"],
        ] {
            let folder = try TemporaryFolder("run")
            try folder.write("a=\(secret); b=2\n", to: "jar")
            let process = try FetchProcess(
                ["-vvO-"] + source + [
                    nginx.url("/redirect/other-host"), nginx.url("/echo/first"),
                    nginx.url("/echo/second").replacing("127.0.0.1", with: "localhost"),
                ],
                in: folder,
                environment: ["JAR": "a=\(secret); b=2"]
            )
            let result = try await process.run()
            let sent = result.stdoutText.split(separator: "\n").filter { $0.hasPrefix("cookie:") }
            #expect(sent == ["cookie: ", "cookie: a=\(secret); b=2", "cookie: "], "\(result)")
            #expect(!result.stderr.contains(secret))
        }
        let planned = try await FetchProcess.run(
            "--dry-run",
            "--cookie",
            "a=\(secret)",
            nginx.url("/x")
        )
        #expect(planned.stdoutText.contains("Cookie: (redacted)"), "\(planned.stdoutText)")
    }

    @Test("S-05 --cookie-policy selects the cookies that are kept")
    func policy() async throws {
        let nginx = try Nginx.shared
        func names(_ policy: String, _ url: String) async throws -> [String] {
            let result = try await FetchProcess.run(
                "-qO-",
                "--cookie-policy",
                policy,
                "--save-cookies",
                "jar",
                "--keep-session-cookies",
                url
            )
            #expect(result.status == 0, "\(result)")
            return (result.folder.readText("jar") ?? "").split(separator: "\n")
                .filter { !$0.hasPrefix("# ") }.map { String($0.split(separator: "\t")[5]) }
        }
        #expect(try await names("always", nginx.url("/cookies/redirect/a/1")) == ["a"])
        #expect(try await names("never", nginx.url("/cookies/redirect/a/1")) == [])
        #expect(try await names("main-document", nginx.url("/cookies/set/a/1")) == ["a"])
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            let target = nginx.url("/cookies/set/a/1")
            try connection.respond("302 Found", ["Location: \(target)", "Set-Cookie: own=1"])
        }
        let start = other.url("/").replacing("127.0.0.1", with: "localhost")
        #expect(try await names("main-document", start) == ["own"])
        #expect(try await names("always", start).sorted() == ["a", "own"])
    }

    /// Flags that conflict, and a word of the message.
    static let misuse: [([String], Int32, String)] = [
        (["--cookie", "jar.txt"], 2, "--load-cookies FILE"),
        (["--cookie", "a=1", "-H", "Cookie: b=2"], 2, "cannot be combined"),
        (["--no-cookies", "--save-cookies", "j"], 2, "cannot be combined"),
        (["--ephemeral", "--save-cookies", "j"], 2, "cannot be combined"),
        (["--ephemeral", "--hsts-file", "j"], 2, "cannot be combined"),
        (["--ephemeral", "--session", "s"], 2, "cannot be combined"),
        (["--session", "s", "--save-cookies", "j"], 2, "cannot be combined"),
        (["--session", "../s"], 2, "begins with a letter or a digit"),
        (["--session", ".s"], 2, "begins with a letter or a digit"),
        (["--session", ""], 2, "begins with a letter or a digit"),
        (["--session-list"], 2, "cannot be combined"),
        (["--session-remove", "s"], 2, "cannot be combined"),
        (["-b", "--session", "s"], 2, "cannot be combined"),
        (["--keep-session-cookies"], 2, "--save-cookies FILE"),
        (["--load-cookies", "missing"], 3, "missing: No such file"),
        (["--load-cookies", "/etc/passwd"], 3, "line 1 is not a line of a cookie file"),
        (["--hsts-file", "/etc/passwd"], 3, "line 1 is not a line of curl's HSTS file"),
        (["--hsts-file", "/etc"], 3, "/etc"),
        (["--cookie-policy", "some"], 2, "always, never, main-document"),
    ]

    @Test("fetch refuses conflicting cookie flags before it sends anything", arguments: misuse)
    func refused(arguments: [String], status: Int32, words: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess(arguments + [server.url()]).run()
        #expect(result.status == status, "\(result)")
        #expect(result.stderr.contains(words), "\(result)")
        #expect(server.requestCount == 0)
    }

    @Test("S-03 --ephemeral leaves no file except its target")
    func ephemeral() async throws {
        let nginx = try Nginx.shared
        let temporary = try TemporaryFolder("tmp")
        let process = try FetchProcess(
            [
                "--ephemeral", "-q", "--ca-certificate", try Certificates.shared.authority, "-O",
                "out", nginx.tlsURL("/files/hello.txt"),
            ],
            environment: ["TMPDIR": temporary.path]
        )
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.names() == ["out"])
        for path in ["/cookies/set/a/1", "/hsts/1000"] {
            let other = try await FetchProcess(
                [
                    "--ephemeral", "-qj1", "-O-", "--ca-certificate",
                    try Certificates.shared.authority,
                    nginx.tlsURL(path), nginx.tlsURL("/echo/x"),
                ],
                environment: ["TMPDIR": temporary.path]
            ).run()
            #expect(other.status == 0, "\(other)")
            #expect(other.stdoutText.contains("cookie: a=1\n") == (path != "/hsts/1000"))
            #expect(other.folder.names() == [])
            #expect(other.home.names() == [])
        }
        #expect(result.home.names() == [])
        #expect(temporary.names() == [])
    }
}

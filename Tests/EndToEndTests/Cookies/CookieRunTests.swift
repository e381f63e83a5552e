import Foundation
import TestSupport
import Testing

/// Cookies from run to run, and in files that curl and wget share.
@Suite("Cookies", .timeLimit(.minutes(2)))
struct CookieRunTests {
    private static let state = ".local/state/fetch/sessions/s/cookies.txt"

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

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("S-02 cookies end with the run, and what an older build has kept of them is not sent")
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

    @Test("S-02 --session sends its cookies in later runs, those of the browser's session too")
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

    @Test("C-03 curl's and wget's files are read, and they read ours")
    func interchange() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("jar")
        let result = try await FetchProcess.shell(
            #"""
            set -e
            curl -sS -c curl.txt -o /dev/null "$1/cookies/set/fromcurl/1"
            wget -q --save-cookies wget.txt --keep-session-cookies -O /dev/null \
                "$1/cookies/session/fromwget/2"
            "$FETCH" -q -O /dev/null --save-cookies ours.txt --keep-session-cookies \
                "$1/cookies/set/lasting/3" 
            "$FETCH" -q -O /dev/null --load-cookies ours.txt --save-cookies ours.txt \
                --keep-session-cookies "$1/cookies/session/short/4"
            "$FETCH" -qO- --load-cookies curl.txt "$1/echo/x" | grep ^cookie
            "$FETCH" -qO- --load-cookies wget.txt "$1/echo/x" | grep ^cookie
            curl -sS -b ours.txt "$1/echo/x" | grep ^cookie
            wget -qO- --load-cookies ours.txt "$1/echo/x" | grep ^cookie
            """#,
            nginx.url(""),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        let lines = result.stdoutText.split(separator: "\n").map(String.init)
        #expect(lines.count == 4, "\(result.stdoutText)")
        #expect(lines.prefix(2) == ["cookie: fromcurl=1", "cookie: fromwget=2"])
        for line in lines.suffix(2) {
            #expect(line.contains("lasting=3") && line.contains("short=4"))
        }
        #expect(folder.names() == ["curl.txt", "ours.txt", "wget.txt"])
        #expect(try Self.mode(folder.path("ours.txt")) == 0o600)
        #expect(!result.home.exists(Self.state))
    }

    @Test("C-03 without --keep-session-cookies only what lasts is saved")
    func lasting() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-qO-",
            "--save-cookies",
            "jar.txt",
            nginx.url("/cookies/set/a/1"),
            nginx.url("/cookies/session/b/2")
        )
        #expect(result.status == 0, "\(result)")
        let text = try #require(result.folder.readText("jar.txt"))
        #expect(text.contains("\ta\t1\n") && !text.contains("\tb\t2"))
    }

    @Test("cookies are saved though the fetch fails, and though a signal ends it")
    func failed() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/wait" {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 9\r\n\r\nx"
                )
                try connection.waitForPeerToClose()
            } else {
                try connection.respond("404 Not Found", ["Set-Cookie: a=1"])
            }
        }
        let flags = ["-O", "out", "--save-cookies", "jar.txt", "--keep-session-cookies"]
        let missing = try await FetchProcess(flags + [server.url("/missing")]).run()
        #expect(missing.status == 8)
        #expect(missing.folder.readText("jar.txt")?.contains("\ta\t1\n") == true)
        let prepared = try FetchProcess(flags + [server.url("/wait")])
        let process = try prepared.start()
        #expect(await eventually { prepared.folder.exists("out.part") })
        process.interrupt(SIGINT)
        let stopped = try await process.wait()
        #expect(stopped.signal == SIGINT, "\(stopped)")
        #expect(stopped.folder.readText("jar.txt")?.contains("\ta\t1\n") == true)
    }

    @Test("C-03 a user's own cookies are for the first URL's origin, and redacted")
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

    @Test("S-05 --cookie-policy says what is kept")
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

    /// Flags that cannot be obeyed, and a word of what is said.
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
        (["--load-cookies", "/etc/passwd"], 3, "line 1 is none of a cookie file"),
        (["--cookie-policy", "some"], 2, "always, never, main-document"),
    ]

    @Test("what cannot be is refused before anything is sent", arguments: misuse)
    func refused(arguments: [String], status: Int32, words: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess(arguments + [server.url()]).run()
        #expect(result.status == status, "\(result)")
        #expect(result.stderr.contains(words), "\(result)")
        #expect(server.requestCount == 0)
    }

    @Test(
        "a home that cannot be written is nothing, but a session or a file that was asked for"
    )
    func unwritable() async throws {
        let url = try Nginx.shared.url("/cookies/set/a/1")
        let blocked = try TemporaryFolder("home")
        try blocked.write("in the way\n", to: ".local")
        let result = try await FetchProcess.run("-O-", url, home: blocked)
        #expect(result.status == 0, "\(result)")
        #expect(!result.stderr.contains("warning"), "\(result)")
        let session = try await FetchProcess.run("-O-", "--session", "s", url, home: blocked)
        #expect(session.status == 3, "\(session)")
        #expect(session.stderr.contains("warning: cookies are not kept"), "\(session)")
        let homeless = try await FetchProcess.shell(
            #"unset HOME XDG_STATE_HOME; "$FETCH" -O- "$1" && exec "$FETCH" -O- --session s "$1""#,
            url
        )
        #expect(homeless.status == 2, "\(homeless)")
        #expect(homeless.stderr.contains("XDG_STATE_HOME"), "\(homeless)")
        let full = try await FetchProcess.run("-O-", "--save-cookies", "/dev/full", url)
        #expect(full.status == 3, "\(full)")
        #expect(full.stderr.contains("warning: cookies are not kept"), "\(full)")
    }

    @Test("C-03 a file that is none of cookies is not written over")
    func foreign() async throws {
        let folder = try TemporaryFolder("run")
        try folder.write("my diary\n", to: "diary")
        let url = try Nginx.shared.url("/cookies/set/a/1")
        let result = try await FetchProcess.run("-O-", "--save-cookies", "diary", url, in: folder)
        #expect(result.status == 3)
        #expect(result.stderr.contains("is left as it is"), "\(result)")
        #expect(folder.readText("diary") == "my diary\n")
    }

    @Test("C-03 processes that write one file all the time lose no cookie, and leave no torn line")
    func hammering() async throws {
        let nginx = try Nginx.shared
        for flags in ["--session s", "--load-cookies jar --save-cookies jar"] {
            let folder = try TemporaryFolder("jar")
            let result = try await FetchProcess.shell(
                #"""
                for writer in 1 2 3; do (
                    for number in 1 2 3 4 5 6 7 8 9 10; do
                        "$FETCH" -q -O /dev/null $2 "$1/cookies/set/w$writer.$number/v" || exit 1
                    done
                ) & pids="$pids $!"; done
                for pid in $pids; do wait $pid || exit 1; done
                """#,
                nginx.url(""),
                flags,
                in: folder,
                timeLimit: .seconds(100)
            )
            #expect(result.status == 0, "\(result)")
            #expect(result.stderr == "")
            let text =
                flags.hasPrefix("--session")
                ? result.home.readText(Self.state) : folder.readText("jar")
            let lines = (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(lines.count == 30)
            #expect(lines.allSatisfy { $0.split(separator: "\t").count == 7 })
        }
    }

    @Test("S-03 --ephemeral leaves not one file but its target's")
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

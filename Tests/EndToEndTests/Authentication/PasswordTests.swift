import Foundation
import TestSupport
import Testing

/// Credentials from flags, URLs and files, against Apache.
@Suite("Passwords", .timeLimit(.minutes(2)))
struct PasswordTests {
    static let pair = TestUser.usual.pair
    static let methods = ["basic", "digest", "digest-stale", "digest-once", "basic-and-digest"]

    @Test(
        "A-02 fetch sends --user for Basic and Digest after the server's challenge",
        arguments: methods
    )
    func user(place: String) async throws {
        let apache = try Apache.shared
        let url = apache.url("/\(place)/hello.txt?flag-user")
        let result = try await FetchProcess.run("-qO-", "-u", Self.pair, url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        let entries = await apache.log.entries(waitingFor: 1) {
            $0.target == "/\(place)/hello.txt?flag-user"
        }
        #expect(entries.first?.authorization == nil)
    }

    @Test("fetch uses Kerberos tickets without a prompt, and --auth negotiate needs no other flag")
    func ticket() async throws {
        let apache = try Apache.shared
        let environment = try Kerberos.shared.environment
        let process = try FetchProcess(
            ["-qO-", "--auth", "negotiate", apache.nameURL("/negotiate/hello.txt")],
            environment: environment
        )
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
    }

    @Test("users and passwords may have letters of all kinds", arguments: ["basic", "digest"])
    func unusual(place: String) async throws {
        let user = TestUser.unusual
        let folder = try TemporaryFolder("passwords")
        try folder.write(user.pair + "\n", to: "pair")
        let url = try Apache.shared.url("/\(place)/hello.txt")
        let result = try await FetchProcess(["-O-", "-u", "@pair", url], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(!result.stderr.contains("warning"))
    }

    @Test("credentials in a URL are sent after a challenge only, and never printed")
    func url() async throws {
        let apache = try Apache.shared
        let url = apache.url("/digest/hello.txt").replacing("//", with: "//\(Self.pair)@")
        let result = try await FetchProcess.run("-vvO-", "-S", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        #expect(!result.stderr.contains(":\(TestUser.usual.password)"))
        #expect(result.stderr.contains("a URL: other users can see"))
    }

    @Test("--auth basic sends the password at once; a server that requires Digest gets none")
    func method() async throws {
        let apache = try Apache.shared
        let basic = apache.url("/basic/hello.txt?at-once")
        let first = try await FetchProcess.run("-qO-", "--auth", "basic", "-u", Self.pair, basic)
        #expect(first.status == 0, "\(first)")
        let entries = await apache.log.entries(waitingFor: 1) {
            $0.target == "/basic/hello.txt?at-once"
        }
        #expect(entries.map(\.status) == [200])

        let digest = apache.url("/digest/hello.txt?basic-only")
        let second = try await FetchProcess.run(
            "-O-",
            "--auth",
            "basic",
            "--save-credentials",
            "-u",
            Self.pair,
            digest
        )
        #expect(second.status == 6, "\(second)")
        #expect(second.stderr.contains("--auth does not allow"))
        let refused = await apache.log.entries(waitingFor: 1) {
            $0.target == "/digest/hello.txt?basic-only"
        }
        #expect(refused.map(\.authorization) == [nil])
    }

    @Test(
        "a wrong password is sent once; the run ends with status 6 and a message",
        arguments: ["basic", "digest"]
    )
    func wrong(place: String) async throws {
        let apache = try Apache.shared
        let url = apache.url("/\(place)/hello.txt?wrong-one")
        let result = try await FetchProcess.run("-O", "out", "-u", "name:s3cretwrong", url)
        #expect(result.status == 6, "\(result)")
        #expect(result.stderr.contains("\(url): 401 Unauthorized\n"))
        #expect(result.stderr.contains("realm “test realm”"))
        #expect(result.stderr.contains("the server rejected the password from --user"))
        #expect(!result.stderr.contains("s3cretwrong"))
        #expect(result.folder.names() == [])
        let entries = await apache.log.entries(waitingFor: 2) {
            $0.target == "/\(place)/hello.txt?wrong-one"
        }
        #expect(entries.count == 2)
    }

    @Test("A-03 fetch does not send a refused password by the next method either")
    func nextMethod() async throws {
        let apache = try Apache.shared
        let url = apache.url("/basic-and-digest/hello.txt?next")
        let result = try await FetchProcess.run("-qO-", "-u", "name:wrong", url)
        #expect(result.status == 6, "\(result)")
        let entries = await apache.log.entries(waitingFor: 2) {
            $0.target == "/basic-and-digest/hello.txt?next"
        }
        #expect(!entries.contains { $0.authorization?.hasPrefix("Basic") == true })
        #expect(entries.count == 2)
    }

    @Test("a hint names the flag that sends credentials at once, where a server sends no challenge")
    func unasked() async throws {
        let url = try Nginx.shared.url("/status/404")
        let folder = try TemporaryFolder("unasked")
        try folder.write("s3cret\n", to: "pw")
        let arguments = ["-O-", "-u", "me", "--password", "@pw", url]
        let result = try await FetchProcess(arguments, in: folder).run()
        #expect(result.status == 8, "\(result)")
        #expect(result.stderr.contains("--auth basic"))
    }

    @Test("the exit status without a user is 6, with advice")
    func withoutUser() async throws {
        let result = try await FetchProcess.run("-O-", Apache.shared.url("/digest/hello.txt"))
        #expect(result.status == 6, "\(result)")
        #expect(result.stderr.contains("requires Digest: --user NAME"))
    }

    @Test(
        "C-04 fetch reads .netrc from home, NETRC and --netrc-file, and warns if others can read it"
    )
    func netrc() async throws {
        let url = try Apache.shared.url("/digest/hello.txt")
        let home = try TemporaryFolder("home")
        let user = TestUser.usual
        let entry = "machine 127.0.0.1 login \(user.name) password \(user.password)\n"
        try home.write(entry, to: ".netrc")
        chmod(home.path(".netrc"), 0o600)
        let usual = try await FetchProcess.run("-O-", url, home: home)
        #expect(usual.status == 0, "\(usual)")
        #expect(!usual.stderr.contains("warning"))
        chmod(home.path(".netrc"), 0o644)
        let loose = try await FetchProcess.run("-O-", url, home: home)
        #expect(loose.status == 0)
        #expect(loose.stderr.contains("chmod 600"))
        #expect(try await FetchProcess.run("-qO-", "--no-netrc", url, home: home).status == 6)

        let folder = try TemporaryFolder("netrc")
        try folder.write(entry, to: "other")
        let named = try await FetchProcess.run("-qO-", "--netrc-file", "other", url, in: folder)
        #expect(named.status == 0, "\(named)")
        let none = try await FetchProcess.run("-qO-", "--netrc-file", "none", url, in: folder)
        #expect(none.status == 3, "\(none)")
        let piped = try await FetchProcess(
            shell: #"exec bash -c '"$FETCH" -qO- --netrc-file <(cat other) "$0"' "$1""#,
            [url],
            in: folder
        ).run()
        #expect(piped.status == 0, "\(piped)")
    }

    @Test("-u and netrc's default entry do not follow a redirect to another origin")
    func origin() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"there\""])
        }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(other.url("/there"))"])
        }
        let folder = try TemporaryFolder("origin")
        try folder.write("default login me password s3cret\n", to: "netrc")
        let result = try await FetchProcess(
            ["-O-", "-u", "me:s3cret", "--netrc-file", "netrc", server.url("/in")],
            in: folder
        ).run()
        #expect(result.status == 6, "\(result)")
        #expect(other.heads.map { $0["Authorization"] } == [nil])

        try folder.write("machine 127.0.0.1 login me password mine\n", to: "machine")
        let named = try await FetchProcess(
            ["-O-", "--netrc-file", "machine", server.url("/in")],
            in: folder
        ).run()
        #expect(named.status == 6, "\(named)")
        // Nothing is sent in clear text after a redirect.
        #expect(other.heads.allSatisfy { $0["Authorization"] == nil })
    }

    @Test("netrc's entry of the new host counts after a redirect, but over TLS only")
    func netrcAfterRedirect() async throws {
        let apache = try Apache.shared
        let folder = try TemporaryFolder("netrc-redirect")
        let entry = "login \(TestUser.usual.name) password \(TestUser.usual.password)\n"
        try folder.write("machine 127.0.0.1 \(entry)machine localhost \(entry)", to: "machine")
        for place in ["digest", "basic"] {
            let path = "/\(place)/hello.txt"
            for (target, status) in [(apache.url(path), Int32(6)), (apache.tlsURL(path), 0)] {
                let server = try SocketServer { connection in
                    _ = try connection.readHead()
                    try connection.respond("302 Found", ["Location: \(target)"])
                }
                let result = try await FetchProcess(
                    [
                        "-qO-", "--netrc-file", "machine", "--ca-certificate",
                        try Certificates.shared.authority, server.url("/in"),
                    ],
                    in: folder
                ).run()
                #expect(result.status == status, "\(target) \(result)")
            }
        }
    }

    @Test("a bearer token is sent to the first URL's origin at once, and to no other origin")
    func bearer() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(other.url("/there"))"])
        }
        let process = try FetchProcess(
            ["-vvO-", "--bearer", "env:TOKEN", server.url("/in"), other.url("/own")],
            environment: ["TOKEN": "s3cret.token"]
        )
        let result = try await process.run()
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.map { $0["Authorization"] } == ["Bearer s3cret.token"])
        #expect(other.heads.map { $0["Authorization"] } == [nil, nil])
        #expect(result.stderr.contains("dropped: Authorization"))
        #expect(!result.stderr.contains("s3cret"))
    }

    @Test("a secret header stays at its origin, and is not printed")
    func secretHeader() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(other.url("/there"))"])
        }
        let arguments = ["-H", "X-Api-Key: s3cret", "--secret-header", "x-api-key", "-vvO-"]
        let result = try await FetchProcess(arguments + [server.url("/in")]).run()
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.map { $0["X-Api-Key"] } == ["s3cret"])
        #expect(other.heads.map { $0["X-Api-Key"] } == [nil])
        #expect(result.stderr.contains("dropped: X-Api-Key"))
        #expect(!result.stderr.contains("s3cret"))
        let dry = try await FetchProcess(arguments + ["--dry-run", server.url("/in")]).run()
        #expect(!dry.stdoutText.contains("s3cret"))
    }
}

import Foundation
import TestSupport
import Testing

/// Secrets in printed output, events, and the process list.
@Suite("Secrecy", .timeLimit(.minutes(2)))
struct SecrecyTests {
    private static let secret = "s3cr3t-w0rd"

    @Test("a secret on the command line disappears from the process list, with a warning")
    func processList() async throws {
        // Sends no response while the client is connected.
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {}
        }
        let secret = Self.secret
        for arguments in [
            ["-u", "me:\(secret)", server.url("/a")],
            ["--bearer=\(secret)", server.url("/b")],
            ["-H", "Cookie: \(secret)", server.url("/c")],
            ["-e", "http://me:\(secret)@h/", server.url("/e")],
            [server.url("/d").replacing("//", with: "//me:\(secret)@")],
        ] {
            let count = server.requestCount
            let process = try FetchProcess(["-O-"] + arguments).start()
            #expect(await eventually { server.requestCount > count })
            let path = "/proc/\(process.processID)/cmdline"
            let shown = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            #expect(!shown.contains(secret), "\(arguments.count)")
            #expect(shown.contains("*"))
            process.interrupt(SIGTERM)
            let result = try await process.wait()
            #expect(result.stderr.contains("other users can see"), "\(result)")
            #expect(!result.stderr.contains(secret))
        }
    }

    @Test(
        "no output, event or dry run contains a secret",
        arguments: ["basic", "digest", "open"],
        [
            [], ["-v"], ["-vv"], ["-S"], ["--events", "json"], ["--dry-run"],
            ["--auth", "basic", "-vv"],
        ]
    )
    func output(place: String, arguments: [String]) async throws {
        let url = try Apache.shared.url("/\(place)/hello.txt")
        let secret = Self.secret
        let encoded = Data("me:\(secret)".utf8).base64EncodedString()
        for credential in [
            ["-u", "me:\(secret)", url], [url.replacing("//", with: "//me:\(secret)@")],
            ["--bearer", secret, url].filter { _ in !arguments.contains("--auth") },
        ] where !credential.isEmpty {
            let result = try await FetchProcess(["-O-"] + arguments + credential).run()
            let all = result.stdoutText + result.stderr
            #expect(!all.contains(secret), "\(result)")
            #expect(!all.contains(encoded), "\(result)")
        }
    }

    @Test("A-03 a challenge is an event, with the disposition and the credential's source")
    func events() async throws {
        let url = try Apache.shared.url("/basic-and-digest/hello.txt")
        let result = try await FetchProcess(
            ["-qO-", "--auth", "basic", "--save-credentials", "--events-file", "events"]
                + ["-u", TestUser.usual.pair, url]
        ).run()
        #expect(result.status == 0, "\(result)")
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        let challenges = events.named("didReceiveChallenge")
        #expect(challenges.map { $0["disposition"] } == ["rejectProtectionSpace", "useCredential"])
        #expect(challenges.last?["source"] == "user")
        let space = try #require(challenges.last).object("protectionSpace")
        #expect(space["realm"] as? String == "test realm")
        #expect(space["authenticationMethod"] as? String == "NSURLAuthenticationMethodHTTPBasic")
        let text = try await FetchProcess.run("-vvO-", "-u", TestUser.usual.pair, url)
        #expect(text.stderr.contains("didReceiveChallenge: Digest for http://127.0.0.1"))
    }

    @Test("fetch warns about a redirect from TLS to plain HTTP")
    func downgrade() async throws {
        let nginx = try Nginx.shared
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond()
        }
        let result = try await FetchProcess.run(
            "-vvO-",
            "--ca-certificate",
            nginx.certificates.authority,
            nginx.tlsURL("/redirect/to-http?host=127.0.0.1:\(server.port)")
        )
        #expect(result.stderr.contains("redirected to http://"), "\(result)")
        #expect(result.status == 0)
    }
}

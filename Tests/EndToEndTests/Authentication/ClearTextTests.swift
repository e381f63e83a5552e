import Foundation
import TestSupport
import Testing

/// The user's credentials over plain HTTP, and the servers that receive them.
@Suite("Credentials over plain HTTP", .timeLimit(.minutes(2)))
struct ClearTextTests {
    /// Challenges the client, and accepts any credentials.
    private static func asking(_ challenge: String = #"Basic realm="x""#) throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Authorization"] == nil {
                    try connection.respond("401 Unauthorized", ["WWW-Authenticate: \(challenge)"])
                } else {
                    try connection.respond(body: "in")
                }
            }
        }
    }

    private static func leading(to url: String) throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(url)"])
        }
    }

    @Test(
        "--user is not sent in clear text to a URL of a list, unless --auth names the method",
        arguments: [#"Basic realm="x""#, "NTLM"]
    )
    func listed(challenge: String) async throws {
        let own = try Self.asking(#"Basic realm="x""#)
        let other = try Self.asking(challenge)
        let folder = try TemporaryFolder("listed")
        try folder.write("\(own.url("/again"))\n\(other.url("/listed"))\n", to: "list")
        try folder.write("default login me password s3cret\n", to: "netrc")
        for given in [["-u", "me:s3cret"], ["--netrc-file", "netrc"]] {
            let result = try await FetchProcess(
                ["-O-", "-j1", "-i", "list"] + given + [own.url("/first")],
                in: folder
            ).run()
            #expect(result.status == 6, "\(result)")
            // The command line names this origin, so the list may use its credentials.
            #expect(result.stdoutText == "inin", "\(result)")
        }
        try folder.write("\(other.url("/only"))\n", to: "only")
        for given in [
            ["-u", "me:s3cret"], ["--netrc-file", "netrc"], ["-sn", "--netrc-file", "netrc"],
        ] {
            let result = try await FetchProcess(["-O-", "-i", "only"] + given, in: folder).run()
            #expect(result.status == 6, "\(result)")
        }
        #expect(other.heads.allSatisfy { $0["Authorization"] == nil }, "\(other.heads)")
        let method = challenge == "NTLM" ? "ntlm" : "basic"
        let asked = try await FetchProcess(
            ["-q", "-O-", "-j1", "-i", "list", "--auth", method, "-u", "me:s3cret"],
            in: folder
        ).run()
        _ = asked
        #expect(other.heads.contains { $0["Authorization"] != nil })
    }

    @Test("credentials in a list's URL, or of netrc for its host, go to that host")
    func namedByList() async throws {
        let own = try Self.asking()
        let other = try Self.asking()
        let folder = try TemporaryFolder("listed")
        let url = other.url("/listed").replacing("//", with: "//you:0ther@")
        try folder.write("\(url)\n", to: "list")
        let result = try await FetchProcess(
            [
                "-qO-", "-i", "list", "--no-netrc",
                own.url("/first").replacing("//", with: "//a:b@"),
            ],
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "inin")
        try folder.write("\(other.url("/listed"))\n", to: "list")
        try folder.write("machine 127.0.0.1 login you password 0ther\n", to: "netrc")
        let named = try await FetchProcess(
            ["-qO-", "-i", "list", "--netrc-file", "netrc", own.url("/first")],
            in: folder
        ).run()
        #expect(named.status == 0, "\(named)")
        #expect(named.stdoutText == "inin")
    }

    @Test(
        "fetch sends no stored credentials over plain HTTP after a redirect",
        arguments: ["basic", "digest"]
    )
    func stored(place: String) async throws {
        let apache = try Apache.shared
        let home = try TemporaryFolder("home")
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/none"]
        let target = "/\(place)/hello.txt?kept-\(place)"
        let saved = try await FetchProcess(
            ["-qO-", "--save-credentials", "-u", TestUser.usual.pair, apache.url(target)],
            home: home,
            environment: bus
        ).run()
        #expect(saved.status == 0, "\(saved)")
        let server = try Self.leading(to: apache.url(target))
        let result = try await FetchProcess(
            ["-qO-", "--save-credentials", server.url()],
            home: home,
            environment: bus
        ).run()
        #expect(result.status == 6, "\(result)")
        // The credentials remain for a user that names the URL.
        let meant = try await FetchProcess(
            ["-qO-", "--save-credentials", apache.url(target)],
            home: home,
            environment: bus
        ).run()
        #expect(meant.status == 0, "\(meant)")
    }

    @Test("credentials that one request used are not sent over plain HTTP by a redirected request")
    func remembered() async throws {
        let other = try Self.asking()
        let server = try Self.leading(to: other.url("/redirected"))
        let result = try await FetchProcess(
            [
                "-qO-", "-j1", other.url("/own").replacing("//", with: "//me:s3cret@"),
                server.url("/in"),
            ]
        ).run()
        #expect(result.status == 6, "\(result)")
        let redirected = other.heads.filter { $0.target == "/redirected" }
        #expect(!redirected.isEmpty)
        #expect(redirected.allSatisfy { $0["Authorization"] == nil }, "\(redirected)")
    }
}

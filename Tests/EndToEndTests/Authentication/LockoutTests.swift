import TestSupport
import Testing

/// Refused passwords, and limits of credentials.
@Suite("Refused passwords", .timeLimit(.minutes(1)))
struct LockoutTests {
    /// Refuses every client, each time with other challenges.
    private static func refusing(
        _ challenges: @escaping @Sendable (Int) -> [String]
    ) throws -> SocketServer {
        try SocketServer { connection in
            var number = 0
            while try connection.nextHead() != nil {
                number += 1
                let fields = challenges(number).map { "WWW-Authenticate: \($0)" }
                try connection.respond("401 Unauthorized", fields)
            }
        }
    }

    /// The part of a server's challenges that changes each time.
    enum Variation: String, CaseIterable, Sendable {
        case basicRealms, digestRealms, methods, twoRealms

        func challenges(_ number: Int) -> [String] {
            let digest = #"Digest realm="x", nonce="n", qop="auth""#
            return switch self {
            case .basicRealms: [#"Basic realm="\#(number)""#]
            case .digestRealms: [#"Digest realm="\#(number)", nonce="n", qop="auth""#]
            case .methods: [number % 2 == 1 ? digest : #"Basic realm="x""#]
            case .twoRealms: [#"Basic realm="a", Basic realm="b""#]
            }
        }
    }

    @Test(
        "a refused password is not sent again, whatever realm or method the server changes to",
        arguments: Variation.allCases
    )
    func once(variation: Variation) async throws {
        let server = try Self.refusing { variation.challenges($0) }
        let result = try await FetchProcess.run("-qO-", "-u", "u:pw", server.url())
        #expect(result.status == 6, "\(result)")
        #expect(server.heads.count(where: { $0["Authorization"] != nil }) == 1)
    }

    @Test("fetch ends an askpass program that never ends, and has no password then")
    func endlessAskpass() async throws {
        let server = try Self.refusing { _ in [#"Basic realm="x""#] }
        let result = try await FetchProcess.run("-qO-", "--use-askpass", "yes", server.url())
        #expect(result.status == 6, "\(result)")
        #expect(server.heads.allSatisfy { $0["Authorization"] == nil })
    }

    @Test("fetch refuses a secret that is too long, and does not cut it")
    func longSecret() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 70_000), to: "token")
        let result = try await FetchProcess(
            ["-qO-", "--bearer", "@token", "http://127.0.0.1:9/"],
            in: folder
        ).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("longer than 65536 bytes"))
    }

    @Test("a proxy's user needs a password, even an empty one")
    func proxyUser() async throws {
        let proxy = try await FetchProcess.run(
            "--proxy-user",
            "me",
            "-x",
            "127.0.0.1:9",
            "http://127.0.0.1:9/"
        )
        #expect(proxy.status == 2, "\(proxy)")
    }

    @Test("a redirect to an invalid port is the server's error")
    func badPort() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: http://127.0.0.1:99999/"])
        }
        let result = try await FetchProcess.run("-qO-", server.url())
        #expect(result.status == 7, "\(result)")
    }
}

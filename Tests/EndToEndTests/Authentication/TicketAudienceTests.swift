import TestSupport
import Testing

/// The servers that receive a Kerberos ticket.
@Suite("Servers that receive a Kerberos ticket", .timeLimit(.minutes(1)))
struct TicketAudienceTests {
    /// Fetches with the ticket, and returns the Authorization fields that the server received.
    private static func fetch(
        _ arguments: [String],
        target: String
    ) async throws -> (result: ProcessResult, authorizations: [String?]) {
        let result = try await FetchProcess(
            ["-O", "-"] + arguments,
            environment: try Kerberos.shared.environment
        ).run()
        let entries = await (try Apache.shared).log.entries(waitingFor: 1) { $0.target == target }
        return (result, entries.map(\.authorization))
    }

    // The service has a key for the address, but no realm covers it: only the client holds the ticket
    // back.
    @Test("a server outside of the user's realm receives no ticket, and the user gets advice")
    func outside() async throws {
        let target = "/negotiate/hello.txt?outside"
        let (result, authorizations) = try await Self.fetch(
            [try Apache.shared.url(target)],
            target: target
        )
        #expect(result.status == 6, "\(result)")
        #expect(result.stderr.contains("--negotiate-to HOST"), "\(result)")
        #expect(authorizations == [nil])
    }

    @Test(
        "the user permits the server by a flag, by the method, or by an empty user",
        arguments: [
            ["--negotiate-to", "127.0.0.1"], ["--auth", "negotiate"], ["-u", ":"],
            ["--negotiate-to", ".0.0.1"],
        ]
    )
    func named(flags: [String]) async throws {
        let target = "/negotiate/hello.txt?named-\(flags.joined())"
        let (result, _) = try await Self.fetch(
            flags + [try Apache.shared.url(target)],
            target: target
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
    }

    @Test("another method sends no ticket", arguments: ["basic", "digest", "ntlm"])
    func otherMethod(method: String) async throws {
        let target = "/negotiate/hello.txt?method-\(method)"
        let (result, authorizations) = try await Self.fetch(
            ["--auth", method, try Apache.shared.nameURL(target)],
            target: target
        )
        #expect(result.status == 6, "\(result)")
        #expect(authorizations == [nil])
    }

    @Test("fetch sends the ticket over TLS only after a redirect to another origin")
    func redirected() async throws {
        let apache = try Apache.shared
        let certificates = try Certificates.shared
        for (isSecure, status) in [(false, Int32(6)), (true, 0)] {
            let target = "/negotiate/hello.txt?redirected-\(isSecure)"
            let url = isSecure ? apache.tlsURL(target) : apache.nameURL(target)
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try connection.respond("302 Found", ["Location: \(url)"])
            }
            let (result, authorizations) = try await Self.fetch(
                [
                    "--negotiate-to", "localhost", "--ca-certificate", certificates.authority,
                    server.url(),
                ],
                target: target
            )
            #expect(result.status == status, "\(result)")
            #expect(authorizations.contains { $0 != nil } == isSecure)
        }
    }

    @Test("a flag for tickets conflicts with a method without tickets")
    func conflict() async throws {
        let server = try SocketServer { _ in }
        for flags in [
            ["--negotiate-to", "h", "--auth", "basic"], ["--negotiate-to", "."],
            ["--negotiate-to", "..h"], ["--negotiate-to", "http://h/"],
            ["-u", ":", "--auth", "digest"],
        ] {
            let result = try await FetchProcess(flags + [server.url()]).run()
            #expect(result.status == 2, "\(result)")
        }
        #expect(server.requestCount == 0)
    }
}

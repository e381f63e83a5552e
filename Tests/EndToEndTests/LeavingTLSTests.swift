import TestSupport
import Testing

/// Redirects from https to http.
@Suite("Leaving TLS", .timeLimit(.minutes(1)))
struct LeavingTLSTests {
    private static func server() throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "not encrypted")
        }
    }

    private static func fetch(
        _ flags: [String],
        to server: SocketServer
    ) async throws -> ProcessResult {
        let nginx = try Nginx.shared
        return try await FetchProcess(
            flags + [
                "-O-", "--ca-certificate", nginx.certificates.authority,
                nginx.tlsURL("/redirect/to-http?host=127.0.0.1:\(server.port)"),
            ]
        ).run()
    }

    @Test("fetch warns about a redirect out of TLS, also with -q", arguments: ["-q", "-nv", "-v"])
    func said(flag: String) async throws {
        let server = try Self.server()
        let result = try await Self.fetch([flag], to: server)
        #expect(result.status == 0, "\(result)")
        let warnings = result.stderrLines.filter { $0.hasPrefix("fetch: warning: ") }
        #expect(warnings.contains { $0.contains("redirected to http://") }, "\(result)")
        if flag == "-q" { #expect(result.stderrLines.count == 1, "\(result)") }
    }

    @Test("fetch refuses such a redirect with a pinned key, and sends nothing to the new URL")
    func pinned() async throws {
        let server = try Self.server()
        let pin = try Certificates.shared.serverPin
        for flags in [["-q"], ["-v"]] {
            let result = try await Self.fetch(flags + ["--pinned-pubkey", pin], to: server)
            #expect(result.status == 11, "\(result)")
            #expect(result.stderr.contains("leads to plain HTTP"), "\(result)")
            #expect(result.stderr.contains("without --pinned-pubkey"), "\(result)")
            #expect(result.stdout.isEmpty)
        }
        #expect(server.requestCount == 0)
    }

    @Test("fetch uses TLS for a host with strict transport security, and then does not warn")
    func promised() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        try home.write("localhost \"unlimited\"\n", to: "hsts")
        let result = try await FetchProcess(
            [
                "-q", "-O-", "--hsts-file", home.path("hsts"), "--ca-certificate",
                nginx.certificates.authority,
                nginx.tlsURL("/redirect/to-http?host=localhost:\(nginx.tlsPort)"),
            ]
        ).run()
        #expect(!result.stderr.contains("redirected to http://"), "\(result)")
    }
}

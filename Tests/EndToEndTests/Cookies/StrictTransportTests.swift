import Foundation
import TestSupport
import Testing

/// TLS for hosts with Strict-Transport-Security, from run to run.
@Suite("Strict transport security", .timeLimit(.minutes(1)))
struct StrictTransportTests {
    private static func run(
        _ arguments: String...,
        home: TemporaryFolder
    ) async throws
        -> ProcessResult
    {
        let authority = try Certificates.shared.authority
        return try await FetchProcess(
            ["-O-", "--ca-certificate", authority] + arguments,
            home: home
        ).run()
    }

    private static func clear(_ path: String) throws -> String {
        try Nginx.shared.tlsURL(path).replacing("https:", with: "http:")
    }

    @Test("later runs use TLS for a host with Strict-Transport-Security, until it ends the policy")
    func kept() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        let asked = try await Self.run("-q", nginx.tlsURL("/hsts/1000"), home: home)
        #expect(asked.status == 0, "\(asked)")
        let text = home.readText(".local/state/fetch/hsts")
        #expect(text?.contains("\nlocalhost \"") == true, "\(text ?? "")")
        let secure = try await Self.run("-vv", try Self.clear("/echo/later"), home: home)
        #expect(secure.status == 0, "\(secure)")
        #expect(secure.stdoutText.contains("tls: TLSv1"))
        #expect(secure.stderr.contains("didUpgradeTo"), "\(secure)")
        for off in ["--no-hsts", "--ephemeral"] {
            let plain = try await Self.run("-q", off, try Self.clear("/echo/later"), home: home)
            #expect(!plain.stdoutText.contains("tls: TLSv1"))
        }
        _ = try await Self.run("-q", nginx.tlsURL("/hsts/0"), home: home)
        let after = try await Self.run("-q", try Self.clear("/echo/later"), home: home)
        #expect(!after.stdoutText.contains("tls: TLSv1"))
    }

    @Test("credentials for an http URL are sent to its host over TLS too")
    func credential() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        _ = try await Self.run("-q", nginx.tlsURL("/hsts/1000"), home: home)
        let url = try Self.clear("/private/hello.txt")
        let result = try await Self.run("-q", "-u", "name:secret", url, home: home)
        #expect(result.status == 0, "\(result)")
        let header = try await Self.run(
            "-q",
            "--cookie",
            "a=1",
            try Self.clear("/echo/x"),
            home: home
        )
        #expect(header.stdoutText.contains("cookie: a=1\n"), "\(header)")
    }

    @Test("fetch keeps no policy that was received with -k or over plain HTTP")
    func untrusted() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        _ = try await Self.run("-q", "-k", nginx.tlsURL("/hsts/1000"), home: home)
        _ = try await Self.run("-q", nginx.url("/hsts/1000"), home: home)
        #expect(!home.exists(".local"))
    }

    @Test("--hsts-file reads and writes curl's format")
    func curl() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"""
            set -e
            "$FETCH" -q -O /dev/null --ca-certificate "$2" --hsts-file ours "$1/hsts/1000"
            curl -sS --hsts theirs --cacert "$2" -o /dev/null "$1/hsts/1000"
            clear=http:${1#https:}
            curl -sS --hsts ours --cacert "$2" "$clear/echo/x" | grep ^tls
            "$FETCH" -qO- --hsts-file theirs --ca-certificate "$2" "$clear/echo/x" | grep ^tls
            """#,
            nginx.tlsURL(""),
            try Certificates.shared.authority
        )
        #expect(result.status == 0, "\(result)")
        let lines = result.stdoutText.split(separator: "\n")
        #expect(
            lines.count == 2 && lines.allSatisfy { $0.hasPrefix("tls: TLSv1") },
            "\(result.stdoutText)"
        )
    }
}

import TestSupport
import Testing

/// The servers that the command trusts, and its client certificates.
@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    /// Prints the body of a URL.
    static func fetch(
        _ url: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await FetchProcess(
            ["-q", "-O", "-"] + arguments + [url],
            environment: environment
        ).run()
    }

    @Test("fetch trusts a server whose certificate is of a given authority")
    func trusted() async throws {
        let nginx = try Nginx.shared
        let certificates = nginx.certificates
        let url = nginx.tlsURL("/files/hello.txt")
        for (arguments, environment) in [
            (["--ca-certificate", certificates.authority], [:]),
            (["--cacert", certificates.authority], [:]),
            (["--ca-directory", certificates.authorityFolder], [:]),
            ([], ["SSL_CERT_FILE": certificates.authority]),
            ([], ["SSL_CERT_DIR": certificates.authorityFolder]),
        ] {
            let result = try await Self.fetch(url, arguments, environment: environment)
            #expect(result.status == 0, "\(arguments) \(environment) \(result)")
            #expect(result.stdoutText == "Hello, world!\n")
        }
    }

    /// A server, its flags, and the name of the error.
    enum Refusal: String, CaseIterable, Sendable {
        case unknownAuthority = "serverCertificateHasUnknownRoot -1203"
        case otherAuthority = "serverCertificateHasUnknownRoot -1203 "
        case expired = "serverCertificateHasBadDate -1201"
        case selfSigned = "serverCertificateUntrusted -1202  "
        case wrongHost = "serverCertificateUntrusted -1202"
        case revoked = "serverCertificateUntrusted -1202 "
        case tooOld = "secureConnectionFailed -1200"

        func setting(_ nginx: Nginx, query: String) -> (url: String, arguments: [String]) {
            let path = "/files/hello.txt?\(query)-\(self)"
            let certificates = nginx.certificates
            let authority = ["--ca-certificate", certificates.authority]
            return switch self {
            case .unknownAuthority: (nginx.tlsURL(path), [])
            case .otherAuthority:
                (nginx.tlsURL(path), ["--ca-certificate", certificates.otherAuthority])
            case .expired: (nginx.expiredURL(path), authority)
            case .selfSigned: (nginx.selfSignedURL(path), authority)
            case .wrongHost: (nginx.wrongHostURL(path), authority)
            case .revoked:
                (nginx.revokedURL(path), authority + ["--crl-file", certificates.revocationList])
            case .tooOld: (nginx.tls12URL(path), authority + ["--tls-min", "1.3"])
            }
        }
    }

    @Test(
        "T-14 an untrusted certificate is status 5, and the server receives no request",
        arguments: Refusal.allCases
    )
    func refused(refusal: Refusal) async throws {
        let nginx = try Nginx.shared
        let (url, arguments) = refusal.setting(nginx, query: "refused")
        let result = try await Self.fetch(url, arguments)
        #expect(result.status == 5, "\(result)")
        #expect(result.stdout == [])
        let name = refusal.rawValue.split(separator: " ").joined(separator: " ")
        #expect(result.blames(url).count == 1)
        #expect(result.stderr.contains("(URLError.\(name))"), "\(result)")
        #expect(nginx.accessLog("/files/hello.txt?refused-\(refusal)").isEmpty)
    }

    @Test(
        "-k trusts any server, with a warning",
        arguments: Refusal.allCases.filter { $0 != .tooOld }
    )
    func unverified(refusal: Refusal) async throws {
        let (url, arguments) = try refusal.setting(Nginx.shared, query: "unverified")
        let result = try await FetchProcess(arguments + ["-k", "-O", "-", url]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        #expect(result.stderrLines.count { $0.hasPrefix("fetch: warning: ") } == 1)
    }

    @Test(
        "S-05 --tls-min and --tls-max select the version",
        arguments: [
            (["--tls-max", "1.2"], "TLSv1.2"), (["--tls-min", "1.3"], "TLSv1.3"),
            (["--tls-min", "1.2", "--tls-max", "1.2"], "TLSv1.2"), ([], "TLSv1.3"),
        ]
    )
    func versions(arguments: [String], version: String) async throws {
        let nginx = try Nginx.shared
        let result = try await Self.fetch(
            nginx.tlsURL("/echo/"),
            arguments + ["--ca-certificate", nginx.certificates.authority]
        )
        #expect(result.stdoutText.contains("tls: \(version)\n"), "\(result)")
    }

    @Test("fetch shows a client certificate where the server requires one")
    func clientCertificate() async throws {
        let nginx = try Nginx.shared
        let pair = nginx.certificates.client
        let url = nginx.clientCertificateURL("/echo/")
        let authority = ["--ca-certificate", nginx.certificates.authority]
        let shown = try await Self.fetch(
            url,
            authority + ["--certificate", pair.certificate, "--private-key", pair.key]
        )
        #expect(shown.status == 0, "\(shown)")
        #expect(shown.stdoutText.contains("client-certificate: CN=client\n"))
        let without = try await Self.fetch(url, authority)
        #expect(without.status == 8, "\(without)")
    }

    @Test(
        "--private-key-password decrypts the key, and is never printed",
        arguments: ["PEM", "P12"]
    )
    func passPhrase(type: String) async throws {
        let nginx = try Nginx.shared
        let own = nginx.certificates
        let folder = try TemporaryFolder()
        let file = try folder.write(own.clientPassphrase + "\n", to: "phrase")
        let key =
            type == "PEM"
            ? ["--certificate", own.client.certificate, "--private-key", own.clientEncryptedKey]
            : ["--certificate", own.clientPKCS12, "--certificate-type", "P12"]
        let flags = ["-vv", "--ca-certificate", own.authority] + key
        let url = nginx.clientCertificateURL("/echo/")
        for phrase in ["@\(file)", "env:KEY_PHRASE", own.clientPassphrase] {
            let result = try await FetchProcess(
                flags + ["-O", "-", "--private-key-password", phrase, url],
                environment: ["KEY_PHRASE": own.clientPassphrase]
            ).run()
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText.contains("client-certificate: CN=client\n"))
            #expect(!result.stderr.contains(own.clientPassphrase))
        }
        for wrong in [[], ["--private-key-password", "env:WRONG_PHRASE"]] {
            let result = try await FetchProcess(
                flags + wrong + ["-O", "-", url],
                environment: ["WRONG_PHRASE": "not that one"]
            ).run()
            #expect(result.status == 5, "\(result)")
            #expect(result.stdout.isEmpty)
        }
    }

    @Test("T-09 fetch shows no client certificate after a redirect to another origin")
    func certificateStaysHome() async throws {
        let nginx = try Nginx.shared
        let own = nginx.certificates
        let other = nginx.clientCertificateURL("/echo/").replacing("https://", with: "")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: https://\(other)"])
        }
        let flags = [
            "--ca-certificate", own.authority, "--certificate", own.client.certificate,
            "--private-key", own.client.key,
        ]
        let result = try await Self.fetch(server.url(), flags)
        #expect(result.status == 8, "\(result)")
        #expect(!result.stdoutText.contains("CN=client"))
    }

    @Test("A-05 an event has the server's certificate, and whether it is trusted")
    func trustEvent() async throws {
        let nginx = try Nginx.shared
        let url = nginx.tlsURL("/files/hello.txt")
        for (flags, isTrusted) in [
            (["--ca-certificate", nginx.certificates.authority], true), ([], false),
        ] {
            let result = try await FetchProcess(
                flags + ["-q", "--events-file", "events", "-O", "-", url]
            ).run()
            #expect(result.status == (isTrusted ? 0 : 5), "\(result)")
            let events = try #require(result.folder.readText("events"))
            #expect(events.contains(#""serverTrust":{"isTrusted":\#(isTrusted),"reasons":["#))
            #expect(events.contains(nginx.certificates.serverPin))
        }
    }

    @Test("--pinned-pubkey requires the server's own key")
    func pinned() async throws {
        let nginx = try Nginx.shared
        let url = nginx.tlsURL("/files/hello.txt")
        let authority = ["--ca-certificate", nginx.certificates.authority]
        let right = nginx.certificates.serverPin
        let wrong = "sha256//" + String(repeating: "A", count: 43) + "="
        let table: [(String, Int32)] = [(right, 0), ("\(wrong);\(right)", 0), (wrong, 5)]
        for (pin, status) in table {
            let result = try await Self.fetch(url, authority + ["--pinned-pubkey", pin])
            #expect(result.status == status, "\(pin) \(result)")
        }
        // The pin also applies without other verification.
        let unverified = try await Self.fetch(url, ["-k", "--pinned-pubkey", wrong])
        #expect(unverified.status == 5, "\(unverified)")
    }

    @Test("fetch writes the secrets of connections to the file in SSLKEYLOGFILE")
    func keyLog() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("keys")
        let result = try await Self.fetch(
            nginx.tlsURL("/files/hello.txt"),
            ["--ca-certificate", nginx.certificates.authority],
            environment: ["SSLKEYLOGFILE": folder.path("keys.log")]
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.readText("keys.log")?.contains("SECRET ") == true)
    }

    @Test(
        "a missing file is status 3, and fetch sends nothing",
        arguments: ["--ca-certificate", "--ca-directory", "--crl-file", "--certificate"]
    )
    func missing(flag: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.run(flag, "missing", server.url())
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.hasPrefix("fetch: missing: No such file"))
        #expect(!server.wasCalled)
    }

    @Test("ciphers that the server lacks are status 5, and common ones are used")
    func ciphers() async throws {
        let nginx = try Nginx.shared
        let authority = ["--ca-certificate", nginx.certificates.authority]
        let url = nginx.tls12URL("/files/hello.txt")
        let good = try await Self.fetch(
            url,
            authority + ["--ciphers", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        )
        #expect(good.status == 0, "\(good)")
        let bad = try await Self.fetch(url, authority + ["--ciphers", "AES128-SHA"])
        #expect(bad.status == 5, "\(bad)")
        let none = try await Self.fetch(url, authority + ["--ciphers", "no-such-cipher"])
        #expect(none.status == 5, "\(none)")
    }
}

import TestSupport
import Testing

/// Files that OpenSSL reads for the command.
@Suite("Trust files", .timeLimit(.minutes(1)))
struct TrustFileTests {
    @Test("OpenSSL's configuration applies to the first connection")
    func configuration() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            openssl_conf = init
            [init]
            ssl_conf = ssl
            [ssl]
            system_default = system
            [system]
            MinProtocol = TLSv1.3

            """,
            to: "openssl.cnf"
        )
        let authority = ["--ca-certificate", nginx.certificates.authority]
        let environment = ["OPENSSL_CONF": file]
        let url = nginx.tls12URL("/files/hello.txt")
        let refused = try await TLSTests.fetch(url, authority, environment: environment)
        #expect(refused.status == 5, "\(refused)")
        let other = nginx.tlsURL("/files/hello.txt")
        let taken = try await TLSTests.fetch(other, authority, environment: environment)
        #expect(taken.status == 0, "\(taken)")
    }

    @Test("fetch finds an authority in a file, and then in the folder beside it")
    func bundle() async throws {
        let nginx = try Nginx.shared
        let certificates = nginx.certificates
        let folder = try TemporaryFolder()
        let own = try #require(certificates.folder.readText("authority.pem"))
        let other = try #require(certificates.folder.readText("other-authority.pem"))
        let url = nginx.tlsURL("/files/hello.txt")
        let broken = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"
        for (text, arguments, status) in [
            (other + "# text\r\n" + own, [], 0), (other, [], 5),
            (other, ["--ca-directory", certificates.authorityFolder], 0),
            (own, ["--crl-file", certificates.revocationList], 0), (own + broken, [], 5),
            ("", [], 5),
        ] as [(String, [String], Int32)] {
            let file = try folder.write(text, to: "bundle.pem")
            let result = try await TLSTests.fetch(url, ["--ca-certificate", file] + arguments)
            #expect(result.status == status, "\(arguments) \(text.utf8.count) \(result)")
        }
    }

    @Test("libcurl reads a pipe once")
    func pipe() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"mkfifo f; cat "$1" >f & "$FETCH" -q -O - --max-time 20 --ca-certificate f "$2""#,
            nginx.certificates.authority,
            nginx.tlsURL("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
    }
}

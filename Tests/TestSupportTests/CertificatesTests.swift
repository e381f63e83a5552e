import TestSupport
import Testing

@Suite
struct CertificatesTests {
    let nginx: Nginx
    let certificates: Certificates

    init() throws {
        nginx = try Nginx.shared
        certificates = try Certificates.shared
    }

    /// Connects with full verification, and returns the output of `openssl s_client`.
    private func shakeHands(_ port: Int, _ version: String) async throws -> String {
        let result = try await FetchProcess.shell(
            """
            openssl s_client -connect "127.0.0.1:$1" -CAfile "$2" -verify_hostname localhost \
                "$3" </dev/null 2>&1
            """,
            String(port),
            certificates.authority,
            version
        )
        return result.stdoutText
    }

    @Test
    func goodServerIsTrusted() async throws {
        #expect(try await shakeHands(nginx.tlsPort, "-tls1_3").contains("Verify return code: 0 "))
        #expect(try await shakeHands(nginx.tls12Port, "-tls1_2").contains("Protocol  : TLSv1.2"))
    }

    @Test
    func badServersAreNot() async throws {
        let expired = try await shakeHands(nginx.expiredPort, "-tls1_2")
        #expect(expired.contains("certificate has expired"))
        let selfSigned = try await shakeHands(nginx.selfSignedPort, "-tls1_2")
        #expect(selfSigned.contains("self-signed certificate"))
        let wrongHost = try await shakeHands(nginx.wrongHostPort, "-tls1_2")
        #expect(wrongHost.contains("hostname mismatch"))
    }

    @Test
    func revokedCertificateIsOnTheList() async throws {
        let result = try await FetchProcess.shell(
            #"openssl verify -crl_check -CRLfile "$1" -CAfile "$2" "$3""#,
            certificates.revocationList,
            certificates.authority,
            certificates.revoked.certificate
        )
        #expect(result.stderr.contains("certificate revoked"))
    }

    @Test
    func hashedFolderFindsTheAuthority() async throws {
        let result = try await FetchProcess.shell(
            #"openssl verify -no-CAfile -no-CAstore -CApath "$1" "$2""#,
            certificates.authorityFolder,
            certificates.server.certificate
        )
        #expect(result.status == 0, "\(result)")
    }

    @Test
    func http2IsNegotiated() async throws {
        let result = try await FetchProcess.shell(
            #"openssl s_client -connect "127.0.0.1:$1" -alpn h2 </dev/null 2>&1"#,
            String(nginx.http2Port)
        )
        #expect(result.stdoutText.contains("ALPN protocol: h2"))
        #expect(certificates.serverPin.count == "sha256//".count + 44)
    }
}

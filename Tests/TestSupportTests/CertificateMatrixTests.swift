import TestSupport
import Testing

@Suite
struct CertificateMatrixTests {
    let matrix: CertificateMatrix

    init() throws {
        matrix = try CertificateMatrix.shared
    }

    private func get(
        _ wrong: CertificateMatrix.Case,
        _ path: String,
        _ flags: String...
    ) async throws -> CurlResponse {
        try await CurlResponse.get(
            ["--cacert", matrix.certificates.authority, matrix.url(wrong, path)] + flags
        )
    }

    @Test(arguments: [
        (CertificateMatrix.Case.expired, "certificate has expired"),
        (.notYetValid, "certificate is not yet valid"),
        (.wrongHost, "no alternative certificate subject name matches target host name"),
        (.selfSigned, "self-signed certificate"),
        (.unknownAuthority, "self-signed certificate in certificate chain"),
        (.wrongUsage, "unsuitable certificate purpose"),
        (.weakKey, "EE certificate key too weak"),
        (.weakSignature, "CA signature digest algorithm too weak"),
        (.missingIntermediate, "unable to get local issuer certificate"),
        (.notAnAuthority, "invalid CA certificate"),
    ])
    func isRefused(wrong: CertificateMatrix.Case, reason: String) async throws {
        let path = "/refused/\(wrong)"
        let response = try await get(wrong, path)
        #expect(response.exit == 60, "\(response)")
        #expect(response.stderr.contains(reason), "\(response)")
        #expect(!matrix.log.entries().contains { $0.target == path })
        // Without verification the connection works, so the certificate has no other defect.
        let careless = try await get(wrong, path, "--insecure", "--ciphers", "DEFAULT@SECLEVEL=0")
        #expect(careless.body == "ok\n", "\(careless)")
        #expect(await matrix.log.entries(waitingFor: 1) { $0.target == path }.count == 1)
    }

    @Test
    func isTrusted() async throws {
        let response = try await get(.nothing, "/")
        #expect(response.body == "ok\n", "\(response)")
    }

    @Test
    func isRevokedByTheListAlone() async throws {
        let trusted = try await get(.revoked, "/")
        #expect(trusted.body == "ok\n", "\(trusted)")
        let list = matrix.certificates.revocationList
        let refused = try await get(.revoked, "/", "--crlfile", list)
        #expect(refused.exit == 60)
        #expect(refused.stderr.contains("certificate revoked"), "\(refused)")
    }

    @Test(arguments: [
        (CertificateMatrix.Case.onlyTLS10, "TLSv1", "1.0"), (.onlyTLS11, "TLSv1.1", "1.1"),
    ])
    func speaksOldTLSOnly(wrong: CertificateMatrix.Case, name: String, version: String) async throws
    {
        let refused = try await get(wrong, "/\(wrong)", "--tlsv1.2")
        #expect(refused.exit == 35)
        #expect(refused.stderr.contains("alert protocol version"), "\(refused)")
        // Without a version flag OpenSSL accepts the version, but not the server's signature.
        let unasked = try await get(wrong, "/\(wrong)")
        #expect(unasked.exit == 35, "\(unasked)")
        let response = try await get(
            wrong,
            "/\(wrong)",
            "--tlsv\(version)",
            "--tls-max",
            version,
            "--ciphers",
            "DEFAULT@SECLEVEL=0"
        )
        #expect(response.body == "ok\n", "\(response)")
        let requests = await matrix.log.entries(waitingFor: 1) { $0.target == "/\(wrong)" }
        #expect(requests.map(\.tlsVersion) == [name])
    }
}

import TestSupport
import Testing

@Suite
struct ClientCertificateTests {
    let nginx: Nginx
    let certificates: Certificates

    init() throws {
        nginx = try Nginx.shared
        certificates = nginx.certificates
    }

    private func get(_ url: String, _ flags: [String]) async throws -> CurlResponse {
        try await CurlResponse.get(["--cacert", certificates.authority, url] + flags)
    }

    private func flags(_ pair: Certificates.Pair) -> [String] {
        ["--cert", pair.certificate, "--key", pair.key]
    }

    @Test(arguments: ["PEM", "encrypted PEM", "DER", "PKCS #12"])
    func isAcceptedInEveryForm(form: String) async throws {
        let certificates = certificates
        let passphrase = certificates.clientPassphrase
        let flags =
            switch form {
            case "PEM": flags(certificates.client)
            case "encrypted PEM":
                [
                    "--cert", certificates.client.certificate,
                    "--key", certificates.clientEncryptedKey, "--pass", passphrase,
                ]
            case "DER":
                flags(certificates.clientDER) + ["--cert-type", "DER", "--key-type", "DER"]
            default:
                ["--cert", certificates.clientPKCS12, "--cert-type", "P12", "--pass", passphrase]
            }
        for url in [
            nginx.clientCertificateURL("/echo/"), nginx.optionalClientCertificateURL("/echo/"),
        ] {
            let response = try await get(url, flags)
            #expect(response.statuses == [200], "\(response)")
            #expect(response.body.contains("client-certificate: CN=client\n"), "\(response)")
        }
    }

    @Test
    func isRequiredOrOptional() async throws {
        let wanted = try await get(nginx.clientCertificateURL("/echo/"), [])
        #expect(wanted.statuses == [400], "\(wanted)")
        let optional = try await get(nginx.optionalClientCertificateURL("/echo/"), [])
        #expect(optional.statuses == [200], "\(optional)")
        #expect(optional.body.contains("client-certificate: \n"), "\(optional)")
    }

    @Test
    func isRefusedFromAnotherAuthority() async throws {
        for url in [
            nginx.clientCertificateURL("/echo/"), nginx.optionalClientCertificateURL("/echo/"),
        ] {
            let response = try await get(url, flags(certificates.otherClient))
            #expect(response.statuses == [400], "\(response)")
        }
    }
}

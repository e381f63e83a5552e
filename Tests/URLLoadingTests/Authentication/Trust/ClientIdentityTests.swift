import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Client certificates", .timeLimit(.minutes(1)))
struct ClientIdentityTests {
    typealias Certificate = URLSessionConfiguration.ClientCertificate

    let nginx: Nginx
    let certificates: Certificates

    init() throws {
        nginx = try Nginx.shared
        certificates = nginx.certificates
    }

    private var client: Certificate {
        Certificate(file: certificates.client.certificate, keyFile: certificates.client.key)
    }

    private func body(_ session: URLSession, _ address: String) async throws -> String {
        String(decoding: try await session.data(from: try url(address)).0, as: UTF8.self)
    }

    @Test("A-01 a configured certificate is shown, in every form, with its passphrase")
    func configured() async throws {
        let forms: [(Certificate, String?)] = [
            (client, nil),
            (
                Certificate(
                    file: certificates.client.certificate,
                    keyFile: certificates.clientEncryptedKey
                ), certificates.clientPassphrase
            ),
            (
                Certificate(
                    file: certificates.clientDER.certificate,
                    format: .der,
                    keyFile: certificates.clientDER.key
                ), nil
            ),
            (
                Certificate(file: certificates.clientPKCS12, format: .pkcs12),
                certificates.clientPassphrase
            ),
        ]
        for (certificate, password) in forms {
            let session = try URLSession.testing {
                $0.transport.clientCertificate = certificate
                $0.transport.clientKeyPassword = password
            }
            defer { session.finishTasksAndInvalidate() }
            let text = try await body(session, nginx.clientCertificateURL("/echo/"))
            #expect(text.contains("client-certificate: CN=client\n"), "\(certificate)")
        }
    }

    @Test("A-01 a wrong or missing passphrase is an error, and the user is not prompted")
    func wrongPassword() async throws {
        for password in ["wrong", nil] {
            let session = try URLSession.testing {
                $0.transport.clientCertificate = Certificate(
                    file: certificates.client.certificate,
                    keyFile: certificates.clientEncryptedKey
                )
                $0.transport.clientKeyPassword = password
            }
            defer { session.finishTasksAndInvalidate() }
            let code = await errorCode {
                _ = try await body(session, nginx.clientCertificateURL("/echo/"))
            }
            #expect(code == .clientCertificateRejected)
        }
    }

    @Test(
        "A-01 the delegate is called for a certificate once per session, with the accepted issuers",
        arguments: [TLSProtocolVersion.TLSv12, .TLSv13]
    )
    func asked(version: TLSProtocolVersion) async throws {
        let credential = URLCredential(identity: client, persistence: .forSession)
        let delegate = TrustingDelegate(identity: credential)
        let session = try URLSession.testing(delegate) {
            $0.tlsMaximumSupportedProtocolVersion = version
            $0.tlsMinimumSupportedProtocolVersion = version
        }
        defer { session.finishTasksAndInvalidate() }
        let address = nginx.clientCertificateURL("/echo/")
        for _ in 0..<2 {
            let text = try await body(session, address)
            #expect(text.contains("client-certificate: CN=client\n"), "\(text)")
        }
        #expect(
            delegate.methods == [
                NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            ]
        )
        let space = try #require(delegate.challenges.last?.protectionSpace)
        #expect(space.port == nginx.clientCertificatePort)
        // The authority's name in DER contains its text.
        let names = try #require(space.distinguishedNames)
        #expect(names.count == 1)
        #expect(
            names.first.map { String(decoding: $0, as: UTF8.self) }?.contains("Test Authority")
                == true
        )
    }

    @Test("A-01 a session without a certificate continues, and asks its delegate once")
    func none() async throws {
        for address in [
            nginx.optionalClientCertificateURL("/echo/"), nginx.clientCertificateURL("/echo/"),
        ] {
            let delegate = TrustingDelegate(identity: nil)
            let session = try URLSession.testing(delegate)
            defer { session.finishTasksAndInvalidate() }
            for _ in 0..<2 {
                let (_, response) = try await session.data(from: try url(address))
                let isOptional = address == nginx.optionalClientCertificateURL("/echo/")
                #expect((response as? HTTPURLResponse)?.statusCode == (isOptional ? 200 : 400))
            }
            let asked = delegate.methods.count { $0 == NSURLAuthenticationMethodClientCertificate }
            #expect(asked == 1)
        }
    }

    @Test("A-01 the server refuses a certificate of another authority")
    func wrong() async throws {
        let pair = certificates.otherClient
        let other = Certificate(file: pair.certificate, keyFile: pair.key)
        let delegate = TrustingDelegate(
            identity: URLCredential(identity: other, persistence: .forSession)
        )
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.clientCertificateURL("/echo/"))
        let (_, response) = try await session.data(from: address)
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
    }

    @Test("A-01 a cancelled challenge cancels the task")
    func cancelled() async throws {
        let delegate = TrustingDelegate { challenge, complete in
            challenge.protectionSpace.serverTrust == nil
                ? complete(.cancelAuthenticationChallenge, nil)
                : complete(.performDefaultHandling, nil)
        }
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.clientCertificateURL("/echo/"))
        #expect(await errorCode { _ = try await session.data(from: address) } == .cancelled)
    }

    @Test(
        "A-01 a body that cannot be repeated is not sent in the handshake that requests a certificate"
    )
    func oneShotBody() async throws {
        let delegate = TrustingDelegate(
            identity: URLCredential(identity: client, persistence: .forSession)
        )
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        var request = try request(nginx.clientCertificateURL("/echo/"))
        request.httpMethod = "POST"
        request.httpBodyStream = NonReplayableStream(8_000)
        let (data, _) = try await session.data(for: request)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("client-certificate: CN=client\n"), "\(text)")
        #expect(delegate.bodies == 0)
    }
}

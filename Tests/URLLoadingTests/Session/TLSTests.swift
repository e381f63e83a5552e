import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    @Test("S-05 the client refuses a server outside its minimum and maximum TLS version")
    func versions() async throws {
        let nginx = try Nginx.shared
        let address = try url(nginx.tls12URL("/files/hello.txt"))
        let fits = try URLSession.testing { $0.tlsMaximumSupportedProtocolVersion = .TLSv12 }
        defer { fits.finishTasksAndInvalidate() }
        #expect(!(try await fits.data(from: address).0.isEmpty))
        let strict = try URLSession.testing { $0.tlsMinimumSupportedProtocolVersion = .TLSv13 }
        defer { strict.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await strict.data(from: address) }
        #expect(code == .secureConnectionFailed)
        let low = try URLSession.testing { $0.tlsMaximumSupportedProtocolVersion = .TLSv12 }
        defer { low.finishTasksAndInvalidate() }
        let text = try await low.data(from: try url(nginx.tlsURL("/echo/tls"))).0
        #expect(String(decoding: text, as: UTF8.self).contains("TLSv1.2"))
    }

    @Test("S-05 the client refuses an untrusted certificate with its own code")
    func refused() async throws {
        let nginx = try Nginx.shared
        let cases: [(String, URLError.Code)] = [
            (nginx.expiredURL("/"), .serverCertificateHasBadDate),
            (nginx.selfSignedURL("/"), .serverCertificateUntrusted),
            (nginx.wrongHostURL("/"), .serverCertificateUntrusted),
        ]
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        for (address, code) in cases {
            #expect(await errorCode { _ = try await session.data(from: url(address)) } == code)
        }
        let other = try URLSession.testing {
            $0.transport.trust.certificateAuthorityFile = nginx.certificates.otherAuthority
        }
        defer { other.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await other.data(from: url(nginx.tlsURL("/"))) }
        #expect(code == .serverCertificateHasUnknownRoot)
    }

    @Test("S-05 a hashed folder of authorities serves as well as a file")
    func folder() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing {
            $0.transport.trust.certificateAuthorityFile = nil
            $0.transport.trust.certificateAuthorityFolder = nginx.certificates.authorityFolder
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.tlsURL("/files/hello.txt"))
        #expect(!(try await session.data(from: address).0.isEmpty))
    }

    @Test("S-05 the client uses HTTP/2 where TLS agrees on it")
    func http2() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(
            from: try url(try Nginx.shared.http2URL("/files/hello.txt"))
        )
        #expect((response as? HTTPURLResponse)?.httpVersion == "HTTP/2")
    }
}

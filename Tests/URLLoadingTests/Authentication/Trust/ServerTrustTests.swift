import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Server trust", .timeLimit(.minutes(1)))
struct ServerTrustTests {
    /// A session without authorities, which trusts no server by itself.
    private static func suspicious(_ delegate: TrustingDelegate) throws -> URLSession {
        try .testing(delegate) {
            $0.transport.trust.certificateAuthorityFile = try? Certificates.shared.otherAuthority
        }
    }

    @Test("A-05 the delegate gets the chain, and can accept a private authority")
    func accepted() async throws {
        let nginx = try Nginx.shared
        let delegate = TrustingDelegate {
            ($0.isTrusted ? .performDefaultHandling : .useCredential, URLCredential(trust: $0))
        }
        let session = try Self.suspicious(delegate)
        defer { session.finishTasksAndInvalidate() }
        let (body, _) = try await session.data(from: try url(nginx.tlsURL("/files/hello.txt")))
        #expect(isSameBytes(body, Array("Hello, world!\n".utf8)))
        let space = try #require(delegate.challenges.first?.protectionSpace)
        #expect(delegate.challenges.count == 1)
        #expect(space.host == "localhost")
        #expect(space.port == nginx.tlsPort)
        #expect(space.protocol == NSURLProtectionSpaceHTTPS)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodServerTrust)
        let trust = try #require(space.serverTrust)
        guard case .untrusted(let reason) = trust.verdict else {
            Issue.record("trusted: \(trust)")
            return
        }
        #expect(reason.code == .serverCertificateHasUnknownRoot)
        let certificate = try #require(trust.certificates.first)
        #expect(certificate.subject == "CN=localhost")
        #expect(certificate.issuer == "CN=Test Authority")
        #expect(!certificate.isSelfIssued)
        #expect(certificate.names == ["localhost", "127.0.0.1", "::1"])
        #expect(certificate.publicKeyPin == nginx.certificates.serverPin)
        #expect(certificate.notBefore < Date.now)
        #expect(certificate.notAfter > Date.now)
    }

    @Test("A-05 the delegate can refuse a valid chain, and no request reaches the server")
    func refused() async throws {
        let nginx = try Nginx.shared
        let cases: [(URLSession.AuthChallengeDisposition, URLError.Code, String)] = [
            (.rejectProtectionSpace, .serverCertificateUntrusted, "/files/hello.txt?reject"),
            (.cancelAuthenticationChallenge, .cancelled, "/files/hello.txt?cancel"),
        ]
        for (disposition, code, path) in cases {
            let delegate = TrustingDelegate { _ in (disposition, nil) }
            let session = try URLSession.testing(delegate)
            defer { session.finishTasksAndInvalidate() }
            let address = try url(nginx.tlsURL(path))
            #expect(await errorCode { _ = try await session.data(from: address) } == code)
            #expect(delegate.challenges.first?.protectionSpace.serverTrust?.isTrusted == true)
            #expect(nginx.accessLog(path).isEmpty)
        }
    }

    @Test("A-05 the platform's evaluation decides by default", arguments: [true, false])
    func byVerdict(isTrusted: Bool) async throws {
        let nginx = try Nginx.shared
        let delegate = TrustingDelegate { _ in (.performDefaultHandling, nil) }
        let session = isTrusted ? try URLSession.testing(delegate) : try Self.suspicious(delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt?verdict-\(isTrusted)"
        let address = try url(nginx.tlsURL(path))
        let code = await errorCode { _ = try await session.data(from: address) }
        #expect(code == (isTrusted ? nil : .serverCertificateHasUnknownRoot))
        // nginx writes its log after the response.
        #expect(await eventually { nginx.accessLog(path).isEmpty != isTrusted })
    }

    @Test("A-05 the trust of another server is not accepted")
    func otherTrust() async throws {
        let nginx = try Nginx.shared
        let delegate = TrustingDelegate { trust in
            let other = ServerTrust(host: trust.host, chain: [Data([1])], reasons: [])
            return (.useCredential, URLCredential(trust: other))
        }
        let session = try Self.suspicious(delegate)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.tlsURL("/files/hello.txt?other-trust"))
        let code = await errorCode { _ = try await session.data(from: address) }
        #expect(code == .serverCertificateHasUnknownRoot)
    }

    @Test("A-05 the delegate may accept another host's certificate, and pin its key")
    func pinning() async throws {
        let nginx = try Nginx.shared
        let pin = nginx.certificates.serverPin
        let delegate = TrustingDelegate { trust in
            trust.certificates.first?.publicKeyPin == pin
                ? (.useCredential, URLCredential(trust: trust)) : (.rejectProtectionSpace, nil)
        }
        let session = try URLSession.testing(delegate) {
            $0.transport.resolve = ["other.example:\(nginx.tlsPort):127.0.0.1"]
        }
        defer { session.finishTasksAndInvalidate() }
        let right = try url("https://other.example:\(nginx.tlsPort)/files/hello.txt")
        #expect(!(try await session.data(from: right).0.isEmpty))
        let reasons = delegate.challenges.first?.protectionSpace.serverTrust?.reasons
        #expect(reasons?.map(\.number) == [62])
        let wrong = try url(nginx.expiredURL("/"))
        let code = await errorCode { _ = try await session.data(from: wrong) }
        #expect(code == .serverCertificateHasBadDate)
    }

    @Test("A-05 a pinned key applies, whatever a delegate accepts")
    func pinnedToo() async throws {
        let nginx = try Nginx.shared
        let delegate = TrustingDelegate(identity: nil)
        let session = try URLSession.testing(delegate) {
            $0.transport.trust.pinnedPublicKey =
                "sha256//" + String(repeating: "A", count: 43) + "="
        }
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt?pinned-too"
        let address = try url(nginx.tlsURL(path))
        let code = await errorCode { _ = try await session.data(from: address) }
        #expect(code == .serverCertificateUntrusted)
        #expect(nginx.accessLog(path).isEmpty)
    }

    @Test("A-05 an error has the server's certificate chain, and all reasons against it")
    func error() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing {
            $0.transport.trust.certificateAuthorityFile = nginx.certificates.otherAuthority
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.expiredURL("/"))
        let error = await #expect(throws: URLError.self) { try await session.data(from: address) }
        #expect(error?.code == .serverCertificateHasUnknownRoot)
        let trust = try #require(error?.failureURLPeerTrust)
        #expect(
            trust.reasons.map(\.code) == [
                .serverCertificateHasUnknownRoot, .serverCertificateHasBadDate,
            ]
        )
        #expect(trust.certificates.first?.subject == "CN=localhost")
    }

    @Test(
        "A-05 the delegate is called once per connection, however many requests it carries",
        arguments: [1, 2]
    )
    func once(version: Int) async throws {
        let nginx = try Nginx.shared
        let delegate = TrustingDelegate(identity: nil)
        let session = try Self.suspicious(delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt"
        let address = try url(version == 1 ? nginx.tlsURL(path) : nginx.http2URL(path))
        for _ in 0..<3 { #expect(!(try await session.data(from: address).0.isEmpty)) }
        #expect(delegate.challenges.count == 1)
    }

    @Test("A-05 a task without a trust challenge does not use a trust that a delegate accepted")
    func unasked() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing {
            $0.transport.trust.certificateAuthorityFile = nginx.certificates.otherAuthority
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.tlsURL("/files/hello.txt"))
        let delegate = TaskTrust()
        #expect(!(try await session.data(from: address, delegate: delegate).0.isEmpty))
        #expect(delegate.hasBeenAsked.isUp)
        let code = await errorCode { _ = try await session.data(from: address) }
        #expect(code == .serverCertificateHasUnknownRoot)
    }

    /// A task's delegate, called since the session has none.
    private final class TaskTrust: URLSessionTaskDelegate {
        let hasBeenAsked = Flag()

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            hasBeenAsked.raise()
            completionHandler(
                .useCredential,
                challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
            )
        }
    }

    @Test("A-05 an IP address is compared with the certificate's addresses")
    func address() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing(
            TrustingDelegate { _ in (.performDefaultHandling, nil) }
        )
        defer { session.finishTasksAndInvalidate() }
        for host in ["127.0.0.1", "127.1"] {
            let right = try url("https://\(host):\(nginx.tlsPort)/files/hello.txt")
            #expect(!(try await session.data(from: right).0.isEmpty), "\(host)")
            let wrong = try url("https://\(host):\(nginx.wrongHostPort)/files/hello.txt")
            let code = await errorCode { _ = try await session.data(from: wrong) }
            #expect(code == .serverCertificateUntrusted)
        }
    }
}

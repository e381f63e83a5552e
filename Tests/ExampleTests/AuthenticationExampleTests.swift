import TestSupport
import Testing

@Suite("Examples: authentication", .timeLimit(.minutes(1)))
struct AuthenticationExampleTests {
    private static let user = TestUser.usual
    private static let password = ["PASSWORD": user.password]

    @Test(
        "A-02 A-03 A-04 Authentication: the client responds to one challenge of the wanted method"
    )
    func methods() async throws {
        let apache = try Apache.shared
        let url = apache.url("/basic-and-digest/hello.txt")
        let place = "for \"\(Apache.realm)\" at 127.0.0.1:\(apache.port)"
        for (method, questions) in [
            ("digest", ["digest \(place)"]), ("basic", ["digest \(place)", "basic \(place)"]),
        ] {
            let lines = try await Example.run(
                "Authentication",
                url,
                Self.user.name,
                method,
                environment: Self.password
            ).lines
            #expect(lines.dropLast(2) == questions[...], "\(lines)")
            #expect(lines.suffix(2).allSatisfy { $0.hasPrefix("status 200, ") }, "\(lines)")
        }
    }

    @Test(
        "A-03 Authentication: the server rejects a wrong password once, and the client cancels",
        arguments: ["basic", "digest"]
    )
    func wrong(_ method: String) async throws {
        let apache = try Apache.shared
        let lines = try await Example.run(
            "Authentication",
            apache.url("/\(method)/hello.txt"),
            Self.user.name,
            method,
            environment: ["PASSWORD": "wrong"]
        ).lines
        let place = "\(method) for \"\(Apache.realm)\" at 127.0.0.1:\(apache.port)"
        let once = [place, place, "refused \(Self.user.name)", "given up"]
        #expect(lines == once + once)
    }

    @Test("A-01 A-05 ServerTrust: the client trusts a private authority where the caller names it")
    func authority() async throws {
        let nginx = try Nginx.shared
        let certificates = try Certificates.shared
        let path = try nginx.addFile("example-trust", text: "secret")
        let url = nginx.tlsURL(path)
        let refused = try await Example.run("ServerTrust", url)
        #expect(refused.lines == ["localhost is not trusted", "error -1203"])
        let trusted = try await Example.run(
            "ServerTrust",
            url,
            "authority=\(certificates.authority)"
        )
        #expect(trusted.lines == ["localhost is trusted", "status 200, 6 bytes"])
    }

    @Test(
        "A-05 ServerTrust: a pinned key is enough, and the client refuses another before any request"
    )
    func pin() async throws {
        let nginx = try Nginx.shared
        let certificates = try Certificates.shared
        let path = try nginx.addFile("example-pin", text: "secret")
        let url = nginx.tlsURL(path)
        let pin = "pin=\(certificates.serverPin)"
        let pinned = try await Example.run("ServerTrust", url, pin)
        #expect(pinned.lines == ["localhost is not trusted", "status 200, 6 bytes"])
        let other = try await Example.run(
            "ServerTrust",
            nginx.selfSignedURL(path),
            pin,
            "authority=\(certificates.selfSigned.certificate)"
        )
        #expect(other.lines == ["localhost is trusted", "the key is another one", "error -999"])
        #expect(await nginx.accessLog(path, waitingFor: 1).count == 1)
    }

    @Test("A-01 ServerTrust: the client sends the certificate that the server requests")
    func clientCertificate() async throws {
        let nginx = try Nginx.shared
        let certificates = try Certificates.shared
        let result = try await Example.run(
            "ServerTrust",
            nginx.clientCertificateURL("/echo/x"),
            "authority=\(certificates.authority)",
            "certificate=\(certificates.client.certificate)",
            "key=\(certificates.client.key)"
        )
        #expect(result.lines.dropLast() == ["localhost is trusted", "a certificate is wanted"])
        #expect(result.lines.last?.hasPrefix("status 200, ") == true, "\(result)")
    }

    @Test(
        "A-07 Proxy: the client sends a proxy's password, for plain requests and for tunnels",
        arguments: [Squid.Listener.basic, .digest]
    )
    func proxy(_ listener: Squid.Listener) async throws {
        let nginx = try Nginx.shared
        let squid = try Squid.shared
        let path = try nginx.addFile("example-proxy-\(listener)", text: "text")
        let result = try await Example.run(
            "Proxy",
            "127.0.0.1",
            "\(squid.port(listener))",
            Self.user.name,
            nginx.url(path),
            nginx.tlsURL(path),
            environment: Self.password.merging(
                ["SSL_CERT_FILE": try Certificates.shared.authority]
            ) { own, _ in own }
        )
        let question = "the proxy wants a password for \"\(Squid.realm)\""
        #expect(result.lines == [question, "status 200, 4 bytes", "status 200, 4 bytes"])
        let wrong = try await Example.run(
            "Proxy",
            "127.0.0.1",
            "\(squid.port(listener))",
            Self.user.name,
            nginx.url(path),
            environment: ["PASSWORD": "wrong"]
        )
        #expect(wrong.lines == [question, question, "error -1012"])
    }
}

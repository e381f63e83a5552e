import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Protection spaces and credentials")
struct ProtectionSpaceTests {
    private func space(
        _ host: String = "h.example",
        port: Int = 443,
        protocol: String? = "https",
        realm: String? = "r",
        method: String? = NSURLAuthenticationMethodHTTPBasic
    ) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: port,
            protocol: `protocol`,
            realm: realm,
            authenticationMethod: method
        )
    }

    @Test("spaces that differ in any property are not equal")
    func equality() {
        #expect(space() == space("H.Example", protocol: "HTTPS"))
        #expect(space("[::1]") == space("::1"))
        let others = [
            space("k.example"), space(port: 80), space(protocol: "http"), space(realm: nil),
            space(realm: "R"), space(method: NSURLAuthenticationMethodHTTPDigest),
            URLProtectionSpace(
                proxyHost: "h.example",
                port: 443,
                type: NSURLProtectionSpaceHTTPSProxy,
                realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            ),
        ]
        for other in others { #expect(other != space(), "\(other)") }
        #expect(Set(others + [space()]).count == others.count + 1)
    }

    @Test("a proxy's space is one, and a missing method is the default one")
    func proxies() {
        let proxy = URLProtectionSpace(
            proxyHost: "p.example",
            port: 3_128,
            type: nil,
            realm: nil,
            authenticationMethod: nil
        )
        #expect(proxy.isProxy())
        #expect(proxy.proxyType == NSURLProtectionSpaceHTTPProxy)
        #expect(proxy.protocol == nil)
        #expect(proxy.authenticationMethod == NSURLAuthenticationMethodDefault)
        #expect(!space().isProxy())
    }

    /// A protocol, a method, and whether listeners cannot use the credential.
    static let security: [(String, String, Bool)] = [
        ("http", NSURLAuthenticationMethodHTTPBasic, false),
        ("http", NSURLAuthenticationMethodDefault, false),
        ("http", NSURLAuthenticationMethodHTMLForm, false),
        ("http", NSURLAuthenticationMethodHTTPDigest, true),
        ("http", NSURLAuthenticationMethodNTLM, true),
        ("http", NSURLAuthenticationMethodNegotiate, true),
        ("https", NSURLAuthenticationMethodHTTPBasic, true),
        ("https", NSURLAuthenticationMethodServerTrust, true),
    ]

    @Test("credentials are sent securely over TLS, or by their method", arguments: security)
    func secure(scheme: String, method: String, isSecure: Bool) {
        #expect(space(protocol: scheme, method: method).receivesCredentialSecurely == isSecure)
    }

    @Test("Foundation's constants have Foundation's values")
    func constants() {
        #expect(NSURLAuthenticationMethodHTTPBasic == "NSURLAuthenticationMethodHTTPBasic")
        #expect(NSURLAuthenticationMethodServerTrust == "NSURLAuthenticationMethodServerTrust")
        #expect(NSURLProtectionSpaceSOCKSProxy == "SOCKS")
        #expect(URLCredential.Persistence.permanent.rawValue == 2)
        #expect(URLSession.AuthChallengeDisposition.rejectProtectionSpace.rawValue == 3)
    }

    static let credentials = [
        URLCredential(user: "topuser", password: "topsecret", persistence: .forSession),
        URLCredential(
            identity: .init(file: "/topuser.pem"),
            keyPassword: "topsecret",
            persistence: .none
        ),
    ]

    @Test("no printed form of a credential shows a secret", arguments: credentials)
    func redacted(credential: URLCredential) {
        var dumped = ""
        dump(credential, to: &dumped)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space(),
            proposedCredential: credential,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil
        )
        dump(challenge, to: &dumped)
        dump(credential.kind, to: &dumped)
        let shown = [
            "\(credential)", String(reflecting: credential), dumped, "\([credential])",
            String(describing: Optional(credential)),
        ]
        for text in shown { #expect(!text.contains("topsecret"), "\(text)") }
        #expect("\(credential)" == "(redacted)")
    }

    @Test("the users of two credentials are compared by their bytes")
    func exactUsers() {
        let users = ["\u{E9}", "e\u{301}"]
        #expect(users[0] == users[1])
        let credentials = users.map {
            URLCredential(user: $0, password: "p", persistence: .forSession)
        }
        #expect(credentials[0] != credentials[1])
    }

    @Test("a credential has the properties it was made with, and no others")
    func kinds() {
        let user = URLCredential(user: "u", password: "", persistence: .permanent)
        #expect(user.user == "u" && user.password == "" && user.hasPassword)
        #expect(user.identity == nil && user.keyPassword == nil && user.trust == nil)
        let identity = URLCredential(identity: .init(file: "/c.pem"), persistence: .none)
        #expect(identity.identity?.file == "/c.pem" && identity.user == nil)
        #expect(!identity.hasPassword && identity.keyPassword == nil)
        let trust = ServerTrust(host: "h.example", chain: [Data([1])], reasons: [])
        #expect(URLCredential(trust: trust).trust == trust)
        #expect(user != URLCredential(user: "u", password: "", persistence: .none))
    }

    @Test("an offer has a protection space at its origin")
    func spaces() throws {
        let origin = try #require(Origin(url("https://H.example/a")))
        let offers = AuthenticationOffer.offers(
            in: HTTPHeaderFields(["WWW-Authenticate": #"Negotiate abc, Basic realm="r""#]),
            isProxy: false
        )
        #expect(
            offers[0].protectionSpace(at: origin)
                == URLProtectionSpace(
                    host: "h.example",
                    port: 443,
                    protocol: "https",
                    realm: nil,
                    authenticationMethod: NSURLAuthenticationMethodNegotiate
                )
        )
        let basic = offers[1].protectionSpace(at: origin)
        #expect(basic.realm == "r" && !basic.isConnectionLevel)
        #expect(offers[0].protectionSpace(at: origin).isConnectionLevel)
    }
}

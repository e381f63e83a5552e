import HTTPSemantics
import Testing

@Suite("Authentication methods that a server offers")
struct AuthenticationOfferTests {
    private static func offers(_ values: [String], isProxy: Bool = false) -> [AuthenticationOffer] {
        var fields = HTTPHeaderFields()
        let name = isProxy ? "proxy-authenticate" : "www-authenticate"
        for value in values { fields.add(value, to: name) }
        return AuthenticationOffer.offers(in: fields, isProxy: isProxy)
    }

    private static func name(_ offer: AuthenticationOffer) -> String {
        switch offer {
        case .negotiate: "negotiate"
        case .ntlm: "ntlm"
        case .digest(let challenge): challenge.algorithm ?? "digest"
        case .basic(let realm): "basic \(realm)"
        case .bearer: "bearer"
        }
    }

    @Test("the strongest method comes first, and equal methods keep the server's order")
    func order() {
        let offers = Self.offers([
            #"Basic realm="one", Bearer realm="b""#,
            #"Digest realm="d", nonce="n", algorithm=MD5"#,
            #"Digest realm="d", nonce="n", algorithm=SHA-512-256"#,
            #"Digest realm="d", nonce="n", algorithm=SHA-256"#,
            "NTLM, Negotiate", #"Basic realm="two""#,
        ])
        #expect(
            offers.map(Self.name) == [
                "negotiate", "ntlm", "SHA-512-256", "SHA-256", "MD5", "basic one", "basic two",
                "bearer",
            ]
        )
    }

    @Test("methods that are not supported are not offered")
    func unknown() {
        let none = [
            #"Hawk realm="x""#, #"Digest realm="x""#, #"Digest realm="x", nonce="n", algorithm=X"#,
            #"Digest realm="x", nonce="n", qop="auth-conf""#, "Digest abc", "Mutual realm=x",
        ]
        for value in none { #expect(Self.offers([value]) == [], "\(value)") }
    }

    @Test("a proxy's challenges and a server's challenges are kept apart")
    func proxies() {
        var fields = HTTPHeaderFields(["WWW-Authenticate": "NTLM"])
        fields["Proxy-Authenticate"] = "Negotiate"
        #expect(AuthenticationOffer.offers(in: fields, isProxy: true) == [.negotiate(token: nil)])
        #expect(AuthenticationOffer.offers(in: fields, isProxy: false) == [.ntlm(token: nil)])
    }

    @Test("secrets are equal if their bytes are")
    func secrets() {
        #expect(Secret("caf\u{e9}") != Secret("cafe\u{301}"))
        #expect(Set([Secret("a"), Secret("a"), Secret("b")]).count == 2)
    }

    @Test("Basic encodes user, colon and password in UTF-8, as in RFC 7617")
    func basic() throws {
        let aladdin = try BasicAuthentication.field(
            user: "Aladdin",
            password: Secret("open sesame")
        )
        #expect(aladdin == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let pound = try BasicAuthentication.field(user: "test", password: Secret("123£"))
        #expect(pound == "Basic dGVzdDoxMjPCow==")
        let colons = try BasicAuthentication.field(user: "", password: Secret("a:b"))
        #expect(colons == "Basic OmE6Yg==")
        #expect(throws: CredentialError.colonInUser) {
            try BasicAuthentication.field(user: "a:b", password: Secret(""))
        }
        for evil in ["a\r\nX: y", "a\u{0}", "a\tb", "\u{7F}"] {
            #expect(throws: CredentialError.controlCharacters) {
                try BasicAuthentication.field(user: "a", password: Secret(evil))
            }
        }
    }

    @Test("a bearer token has RFC 6750's characters, or is not sent")
    func bearer() throws {
        let token = "mF_9.B5f-4.1JqM~+/=="
        #expect(try BearerAuthentication.field(token: Secret(token)) == "Bearer \(token)")
        #expect(throws: CredentialError.emptyToken) {
            try BearerAuthentication.field(token: Secret(""))
        }
        for evil in ["a b", "a\r\nX: y", "a,b", "\"a\"", "a=b", "==", "ä", "a\n"] {
            #expect(throws: CredentialError.notAToken, "\(evil)") {
                try BearerAuthentication.field(token: Secret(evil))
            }
        }
    }

    @Test("two users of NTLM whose names only look the same are different")
    func users() {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        let proofs = names.map {
            ConnectionAuthentication(method: .ntlm, user: $0, password: Secret("word"))
        }
        #expect(names[0] == names[1])
        #expect(proofs[0] != proofs[1])
        #expect(proofs[0] == proofs[0])
    }

    @Test("of very many offers only the best are considered")
    func many() {
        let offers = Self.offers((0..<1_000).map { "Basic realm=\"\($0)\"" } + ["NTLM"])
        #expect(offers.count == 16)
        #expect(offers.map(Self.name).prefix(3) == ["ntlm", "basic 0", "basic 1"])
    }
}

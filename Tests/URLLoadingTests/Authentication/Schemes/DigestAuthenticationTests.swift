import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Digest")
struct DigestAuthenticationTests {
    static func digest(
        _ parameters: String,
        user: String = "Mufasa",
        password: String = "Circle of Life"
    ) throws -> DigestAuthentication {
        DigestAuthentication(try challenge(parameters), user: user, password: Secret(password))
    }

    static func challenge(_ parameters: String) throws -> DigestChallenge {
        let read = try #require(HTTPChallenge.challenges(in: ["Digest \(parameters)"]).first)
        return try #require(DigestChallenge(read))
    }

    /// The parameters of a response field.
    static func parameters(_ credentials: DigestCredentials) throws -> HTTPChallenge {
        try #require(HTTPChallenge.challenges(in: [credentials.field]).first)
    }

    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let challenge: String
        var user = "Mufasa"
        var password = "Circle of Life"
        var method = "GET"
        var target = "/dir/index.html"
        let cnonce: String
        var body = DigestBody.none
        let response: String
    }

    static let rfc2617 =
        #"realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093","#
        + #" opaque="5ccc069c403ebaf9f0171e9517f40e41""#
    static let rfc7616 =
        #"realm="http-auth@example.org", qop="auth, auth-int","#
        + #" nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v","#
        + #" opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    static let doe =
        #"realm="api@example.org", qop="auth", algorithm=SHA-512-256,"#
        + #" nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK","#
        + #" opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8"#

    /// The RFCs' own examples; cases without an example were calculated with another program.
    static let vectors = [
        Vector(
            testDescription: "RFC 2617 §3.5",
            challenge: rfc2617 + #", qop="auth,auth-int""#,
            password: "Circle Of Life",
            cnonce: "0a4f113b",
            response: "6629fae49393a05397450978507c4ef1"
        ),
        Vector(
            testDescription: "RFC 2069 §2.4, with its erratum 749",
            challenge: rfc2617,
            password: "CircleOfLife",
            cnonce: "",
            response: "1949323746fe6a43ef61f9606e7febea"
        ),
        Vector(
            testDescription: "RFC 7616 §3.9.1, MD5",
            challenge: rfc7616 + ", algorithm=MD5",
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            response: "8ca523f5e9506fed4657c9700eebdbec"
        ),
        Vector(
            testDescription: "RFC 7616 §3.9.1, SHA-256",
            challenge: rfc7616 + ", algorithm=SHA-256",
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
        ),
        Vector(
            testDescription: "RFC 7616 §3.9.2, SHA-512-256, with its erratum 4897",
            challenge: doe,
            user: "Jäsøn Doe",
            password: "Secret, or not?",
            target: "/doe.json",
            cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
            response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"
        ),
        Vector(
            testDescription: "MD5-sess",
            challenge: rfc2617 + #", qop="auth", algorithm=MD5-sess"#,
            password: "Circle Of Life",
            cnonce: "0a4f113b",
            response: "8e3825c57e897f5a0dec6c2d4e5059d0"
        ),
        Vector(
            testDescription: "SHA-256-sess",
            challenge: rfc2617 + #", qop="auth", algorithm="sha-256-SESS""#,
            password: "Circle Of Life",
            cnonce: "0a4f113b",
            response: "b8822e12417cb7750f4e2b8515f0dcf25b7dd26993e80bee1426201446a7f59b"
        ),
        Vector(
            testDescription: "auth-int",
            challenge: rfc2617 + #", qop="auth-int""#,
            password: "Circle Of Life",
            method: "POST",
            cnonce: "0a4f113b",
            body: .data(Data("hello".utf8)),
            response: "b3da9049011b9dafbd8fc28b2deecc0b"
        ),
    ]

    @Test("the published responses are calculated", arguments: vectors)
    func published(vector: Vector) throws {
        var digest = try Self.digest(vector.challenge, user: vector.user, password: vector.password)
        let credentials = try digest.credentials(
            method: vector.method,
            target: vector.target,
            body: vector.body,
            cnonce: vector.cnonce
        )
        #expect(try Self.parameters(credentials)["response"] == vector.response)
    }

    @Test("the whole field equals that of RFC 7616 §3.9.1")
    func field() throws {
        var digest = try Self.digest(Self.rfc7616 + ", algorithm=SHA-256")
        let credentials = try digest.credentials(
            method: "GET",
            target: "/dir/index.html",
            body: .unknown,
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(
            credentials.field == #"Digest username="Mufasa", realm="http-auth@example.org", "#
                + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", "#
                + #"algorithm=SHA-256, "#
                + #"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", "#
                + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, "#
                + #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ""#
        )
    }

    @Test("a server of RFC 2069 receives only parameters of that RFC")
    func old() throws {
        var digest = try Self.digest(Self.rfc2617)
        let credentials = try digest.credentials(method: "GET", target: "/", body: .none)
        let names = try Self.parameters(credentials).parameters.map(\.name)
        #expect(names == ["username", "realm", "nonce", "uri", "response", "opaque"])
    }

    @Test("a user name is hashed where the server requests it, and else encoded")
    func users() throws {
        func name(_ parameters: String, _ user: String) throws -> HTTPChallenge {
            var digest = try Self.digest(parameters, user: user)
            return try Self.parameters(digest.credentials(method: "GET", target: "/", body: .none))
        }
        let hashed = try name(Self.doe + ", userhash=true", "Jäsøn Doe")
        #expect(
            hashed["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
        )
        #expect(hashed["userhash"] == "true")
        let extended = try name(Self.doe, "Jäsøn Doe")
        #expect(extended["username"] == nil)
        #expect(extended["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe")
        #expect(try name(Self.doe, "Doe")["username"] == "Doe")
        #expect(try name(Self.rfc7616, "Jäsøn")["username"] == "Jäsøn")
        #expect(try name(Self.rfc7616, #"a"b\c, d"#)["username"] == #"a"b\c, d"#)
    }

    @Test("hostile characters in a server's values stay within their quotes")
    func hostile() throws {
        let realm = #"x\", response=\"0\", y=\"\\"#
        var digest = try Self.digest(#"realm="\#(realm)", nonce="\"\\n", opaque="o\"\\""#)
        let credentials = try digest.credentials(method: "GET", target: "/a\"b", body: .none)
        let read = try Self.parameters(credentials)
        #expect(read["realm"] == #"x", response="0", y="\"#)
        #expect(read["nonce"] == #""\n"#)
        #expect(read["opaque"] == #"o"\"#)
        #expect(read["uri"] == "/a\"b")
        #expect(read["response"]?.count == 32)
        #expect(!credentials.field.utf8.contains { $0 < 0x20 })
        for evil in ["a\r\nX: y", "a\u{0}", "a\u{7F}"] {
            var digest = try Self.digest(Self.rfc7616, user: evil)
            #expect(throws: CredentialError.controlCharacters) {
                try digest.credentials(method: "GET", target: "/", body: .none)
            }
        }
    }

    @Test("each use of a nonce is counted, and has a cnonce of its own")
    func counts() throws {
        var digest = try Self.digest(Self.rfc7616)
        var cnonces: Set<String> = []
        for count in 1...300 {
            let credentials = try digest.credentials(method: "GET", target: "/", body: .none)
            let read = try Self.parameters(credentials)
            #expect(read["nc"].flatMap { UInt32($0, radix: 16) } == UInt32(count))
            #expect(read["nc"]?.count == 8)
            cnonces.insert(try #require(read["cnonce"]))
        }
        #expect(cnonces.count == 300)
    }

    @Test("a session's key is made once, and its cnonce does not change")
    func sessions() throws {
        let parameters = Self.rfc7616 + ", algorithm=MD5-sess"
        var digest = try Self.digest(parameters)
        let first = try digest.credentials(method: "GET", target: "/", body: .none, cnonce: "one")
        let second = try digest.credentials(method: "GET", target: "/", body: .none, cnonce: "two")
        #expect(first.key == second.key)
        #expect(second.cnonce == "one")
        #expect(second.count == 2)
        // The next nonce changes the digest, and not the key.
        digest.succeeded(with: HTTPChallenge.parameters(in: #"nextnonce="fresh""#))
        let third = try digest.credentials(method: "GET", target: "/", body: .none)
        #expect(third.key == first.key)
        #expect(third.nonce == "fresh" && third.count == 1)
        // A challenge begins a new session.
        let isRenewed = digest.renew(
            third.nonce,
            by: try Self.challenge(parameters + ", stale=true")
        )
        #expect(isRenewed)
        let fourth = try digest.credentials(method: "GET", target: "/", body: .none)
        #expect(fourth.key != first.key)
    }

    @Test("the body's digest is sent only where the server requires auth-int and a body exists")
    func bodies() throws {
        var both = try Self.digest(Self.rfc7616)
        let credentials = try both.credentials(method: "PUT", target: "/", body: .unknown)
        #expect(try Self.parameters(credentials)["qop"] == "auth")
        var whole = try Self.digest(Self.rfc2617 + ", qop=auth-int")
        #expect(throws: CredentialError.bodyUnknown) {
            try whole.credentials(method: "PUT", target: "/", body: .unknown)
        }
        let data = try whole.credentials(
            method: "PUT",
            target: "/",
            body: .data(Data("hello".utf8)),
            cnonce: "c"
        )
        // A failed call was not sent, and so is not counted.
        #expect(data.count == 1)
        var other = try Self.digest(Self.rfc2617 + ", qop=auth-int")
        let hash = try #require(MessageDigest.hex("hello".utf8, by: .md5))
        let hashed = try other.credentials(
            method: "PUT",
            target: "/",
            body: .hashed(hash),
            cnonce: "c"
        )
        #expect(hashed.field == data.field)
    }
}

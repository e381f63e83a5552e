import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Digest over several requests")
struct DigestExchangeTests {
    private static let parameters = DigestAuthenticationTests.rfc7616 + ", algorithm=MD5"
    private static let cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    @Test("the count of the next nonce begins at 1")
    func nextNonce() throws {
        var digest = try DigestAuthenticationTests.digest(Self.parameters)
        let first = try digest.credentials(method: "GET", target: "/", body: .none)
        digest.succeeded(with: HTTPChallenge.parameters(in: #"nextnonce="n\"2", qop=auth"#))
        let second = try digest.credentials(method: "GET", target: "/", body: .none)
        #expect(second.nonce == "n\"2" && second.count == 1)
        // An unchanged nonce continues its count: a repeated count is a replay.
        digest.succeeded(with: HTTPChallenge.parameters(in: #"nextnonce="n\"2""#))
        digest.succeeded(with: nil)
        digest.succeeded(with: HTTPChallenge.parameters(in: #"nextnonce="""#))
        let third = try digest.credentials(method: "GET", target: "/", body: .none)
        #expect(third.nonce == "n\"2" && third.count == 2)
        #expect(first.nonce != second.nonce)
    }

    @Test(
        "the client replaces a stale nonce without its delegate, and repeats no refused credential"
    )
    func stale() throws {
        var digest = try DigestAuthenticationTests.digest(Self.parameters)
        let old = try digest.credentials(method: "GET", target: "/", body: .none).nonce
        let fresh = #"realm="http-auth@example.org", nonce="new", qop=auth, algorithm=SHA-256"#
        let renewals = try [
            fresh, #"realm="other", nonce="new", stale=true"#, fresh + ", stale=TRUE",
        ]
        .map { digest.renew(old, by: try DigestAuthenticationTests.challenge($0)) }
        #expect(renewals == [false, false, true])
        let credentials = try digest.credentials(method: "GET", target: "/", body: .none)
        #expect(
            credentials.nonce == "new" && credentials.count == 1 && credentials.function == .sha256
        )
    }

    @Test("a digest renews a stale nonce once, and keeps another request's renewal")
    func renewedMeanwhile() throws {
        var digest = try DigestAuthenticationTests.digest(Self.parameters)
        let old = try digest.credentials(method: "GET", target: "/", body: .none).nonce
        for nonce in ["one", "two", "three", "four"] {
            let fresh = #"realm="http-auth@example.org", nonce="\#(nonce)", qop=auth, stale=true"#
            let isRenewed = digest.renew(old, by: try DigestAuthenticationTests.challenge(fresh))
            #expect(isRenewed)
        }
        #expect(try digest.credentials(method: "GET", target: "/", body: .none).nonce == "one")
    }

    /// A `domain`, a URL, and whether the domain covers it.
    static let domains: [(String, String, Bool)] = [
        ("", "https://h.example/any", true), ("", "https://k.example/any", false),
        ("", "http://h.example/any", false), ("/private /also", "https://h.example/also/x", true),
        ("/private", "https://h.example/public", false),
        ("/private", "https://h.example/dir/page", true),
        ("https://h.example/", "https://h.example/public", true),
        ("https://k.example/", "https://k.example/x", false),
        ("https://k.example/", "https://h.example/x", false), ("/", "https://h.example", true),
    ]

    @Test("a domain is limited to its own origin", arguments: domains)
    func domain(domain: String, target: String, isCovered: Bool) throws {
        let challenge = try DigestAuthenticationTests.challenge(
            #"realm="r", nonce="n", domain="\#(domain)""#
        )
        let challenged = try url("https://h.example/dir/page")
        #expect(challenge.covers(try url(target), challenged: challenged) == isCovered)
    }

    @Test("the client guesses no unknown algorithm or protection")
    func unknown() {
        let bad = [
            #"realm="r""#, #"realm="r", nonce="n", algorithm=SHA-1"#,
            #"realm="r", nonce="n", algorithm="""#, #"realm="r", nonce="n", algorithm=-sess"#,
            #"realm="r", nonce="n", qop="auth-conf""#,
        ]
        for parameters in bad {
            let read = HTTPChallenge.challenges(in: ["Digest \(parameters)"])
            #expect(read.first.flatMap(DigestChallenge.init) == nil, "\(parameters)")
        }
        let bare = HTTPChallenge.challenges(in: [#"Digest nonce="", qop="""#])
        #expect(bare.first.flatMap(DigestChallenge.init)?.hasQOP == false)
    }
}

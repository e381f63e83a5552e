import HTTPSemantics
import Testing

@Suite("Challenges")
struct HTTPChallengeTests {
    /// A challenge in short form: `scheme token68 name=value|name=value`.
    private static func short(_ challenges: [HTTPChallenge]) -> [String] {
        challenges.map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }
            return
                ([challenge.scheme] + (challenge.token68.map { [$0] } ?? [])
                + (parameters.isEmpty ? [] : [parameters.joined(separator: "|")]))
                .joined(separator: " ")
        }
    }

    /// Fields, and the challenges that the parser reads from them.
    static let forms: [([String], [String])] = [
        // The examples of RFC 9110 §11.6.1 and RFC 7617.
        (
            [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
            ["basic realm=simple", #"newauth realm=apps|type=1|title=Login to "apps""#]
        ),
        ([#"Basic realm="WallyWorld""#], ["basic realm=WallyWorld"]),
        ([#"Basic realm="foo", charset="UTF-8""#], ["basic realm=foo|charset=UTF-8"]),
        // Without parameters, with a token68, several in one field and in several.
        (["Negotiate"], ["negotiate"]),
        (["Negotiate, NTLM"], ["negotiate", "ntlm"]),
        (["Negotiate,NTLM,Basic realm=x"], ["negotiate", "ntlm", "basic realm=x"]),
        (["NTLM TlRMTVNTUAACAAAA=="], ["ntlm TlRMTVNTUAACAAAA=="]),
        (["Negotiate oQ+/cD=, Basic realm=x"], ["negotiate oQ+/cD=", "basic realm=x"]),
        (["Negotiate", #"Basic realm="a""#, ""], ["negotiate", "basic realm=a"]),
        // Commas, and what looks like a challenge, within quotes.
        (
            [#"Digest realm="a, Basic realm=b", nonce="n,\\\"", Basic realm="c""#],
            [#"digest realm=a, Basic realm=b|nonce=n,\""#, "basic realm=c"]
        ),
        // Spaces around the equals sign, tabs, empty list elements, any case.
        (["\t , BASIC  Realm\t= \"x\" ,, CharSet = utf-8 ,"], ["basic realm=x|charset=utf-8"]),
        ([" Basic realm=x"], ["basic realm=x"]),
        // Values that should have been quoted, parameters without a comma between.
        (["Digest realm=a/b@c, nonce=x==, qop=auth"], ["digest realm=a/b@c|nonce=x==|qop=auth"]),
        ([#"Digest realm="a" nonce="n" qop=auth"#], ["digest realm=a|nonce=n|qop=auth"]),
        ([#"Basic realm="", title="#], ["basic realm=|title="]),
        // Of a name that occurs twice, the first counts.
        ([#"Basic realm="one", REALM="two""#], ["basic realm=one"]),
        // UTF-8 beyond ASCII.
        ([#"Basic realm="Zürich ✓""#], ["basic realm=Zürich ✓"]),
    ]

    @Test(
        "a challenge has the forms of RFC 9110, and the variants that servers send",
        arguments: forms
    )
    func isRead(fields: [String], challenges: [String]) {
        #expect(Self.short(HTTPChallenge.challenges(in: fields)) == challenges)
    }

    /// Malformed fields, and the challenges that the parser keeps.
    static let broken: [(String, [String])] = [
        ("", []), (" \t ,, ", []), ("=", []), (#"realm="x""#, []), (#""Basic realm=x""#, []),
        (#"Basic realm="unfinished"#, []), (#"Basic realm="unfinished\"#, []),
        (#"Basic realm="a"#, []), (#"Negotiate, Basic realm="unfinished, NTLM"#, ["negotiate"]),
        (#"Basic realm="x" NTLM"#, []), (#"Basic realm="x" junk, NTLM"#, ["ntlm"]),
        (#"Basic (comment), NTLM"#, ["ntlm"]), (#"@@@, NTLM"#, ["ntlm"]),
        (#"Basic realm=x"y", NTLM"#, ["ntlm"]), (#"@"a, b", NTLM"#, ["ntlm"]),
        ("Basic realm=\"a\u{7}b\", NTLM", ["ntlm"]), ("Basic realm=\"a\\\u{0}\", NTLM", ["ntlm"]),
        ("Basic realm=\"a\r\nX: y\"", []), ("NTLM abc, charset=x", ["ntlm abc"]),
        ("Básic realm=x, NTLM", ["ntlm"]),
    ]

    @Test("the parser omits a malformed challenge, and keeps its neighbours", arguments: broken)
    func leftOut(field: String, challenges: [String]) {
        #expect(Self.short(HTTPChallenge.challenges(in: [field])) == challenges)
    }

    /// Large fields, each with one text repeated.
    static let large =
        [
            ",", "a,", "a=", "a=b,", "\"", "\\", "a ", "Basic realm=\"x\", ", "\"\\\"",
            "Digest a=\"",
        ]
        .map { String(repeating: $0, count: (64 << 10) / $0.utf8.count) }
        + ["Basic " + (0..<10_000).map { "p\($0)=x" }.joined(separator: ",")]

    @Test("the parser reads the largest possible field at once", arguments: large)
    func isLinear(field: String) {
        let time = ContinuousClock().measure { _ = HTTPChallenge.challenges(in: [field]) }
        // Linear, it takes milliseconds; quadratic, it would take minutes.
        #expect(time < .seconds(20))
    }

    @Test("the parser reads a list without a scheme by its parameters")
    func parameters() {
        let info = HTTPChallenge.parameters(
            in: #"nextnonce="a,b", qop=auth, rspauth="0f", nc=00000001"#
        )
        #expect(info["nextnonce"] == "a,b")
        #expect(info["qop"] == "auth")
        #expect(info["nc"] == "00000001")
        #expect(HTTPChallenge.parameters(in: #"nc=1, oops, rspauth="x""#)["rspauth"] == nil)
    }
}

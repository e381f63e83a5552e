import FoundationEssentials
import Testing

@testable import URLLoading

/// U+212A equals K to Swift, and a letter with a combining mark behind it is one character: to a server
/// or a file they are other bytes.
@Suite("Text from outside as bytes")
struct OutsideTextTests {
    /// K in other bytes, with the same look.
    private static let kelvin = "\u{212A}"

    @Test("C-03 the client stores a cookie with U+212A in its path, and sends it nowhere else")
    func storedCookie() throws {
        let storage = HTTPCookieStorage()
        let line = "example.com\tFALSE\t/\u{212A}\tFALSE\t0\tn\tv"
        storage.take([line], from: try url("http://example.com/"), mainDocument: nil, .always)
        #expect(storage.names == ["n"])
        #expect(storage.pairs("http://example.com/K") == [])
        #expect(storage.pairs("http://example.com/KKKK/x") == [])
    }

    @Test("C-03 cookies whose names, paths or domains only look the same are distinct")
    func cookieKeys() {
        var jar = CookieJar()
        for name in ["K", Self.kelvin, "\u{e9}", "e\u{301}"] {
            jar.set([cookie(name)], created: .now, .now)
        }
        jar.set([cookie("K", path: "/" + Self.kelvin)], created: .now, .now)
        jar.set([cookie("K", path: "/K")], created: .now, .now)
        #expect(jar.cookies(.now).count == 6)
        #expect(cookie("a", "K") != cookie("a", Self.kelvin))
        #expect(!HTTPCookie.isHost("k.example", within: "\u{212A}.example".asciiLowercased[...]))
    }

    /// Lines of cookie files, and whether the client accepts them.
    private static let lines: [(String, Bool)] = [
        ("example.com\tFALSE\t/\tFALSE\t0\tn\tv", true),
        // Its second value is not FALSE, in whatever case.
        ("example.com\tFAL\u{17F}E\t/\tFALSE\t0\tn\tv", false),
        // A tab is one, whatever is behind it.
        ("example.com\tFALSE\t/\tFALSE\t0\t\u{301}n\t\u{301}v", true),
        ("\u{301}\tFALSE\t/\tFALSE\t0\tn\tv", true), (".\u{301}\tTRUE\t/\tFALSE\t0\tn\tv", true),
        (".\tTRUE\t/\tFALSE\t0\tn\tv", false), ("a\tTRUE\t/\tFALSE\tnan\tn\tv", false),
        ("a\tTRUE\t/\tFALSE\t-1\tn\tv", false), ("a\tTRUE\t/\tFALSE\tinf\tn\tv", false),
        ("a\tTRUE\t/\tFALSE\t1e308\tn\tv", true), ("a\tTRUE\t/\tFALSE\t\tn\tv", false),
        ("#HttpOnly_\u{301}\tTRUE\t/\tFALSE\t0\tn\tv", true),
    ]

    @Test("C-03 the client splits a line of a cookie file at its tabs", arguments: lines)
    func cookieLine(line: String, isCookie: Bool) {
        guard case .cookie(let cookie) = HTTPCookie.read(line: line[...]) else {
            #expect(!isCookie, "\(line)")
            return
        }
        #expect(isCookie, "\(line)")
        // The client reads its own line as the same cookie.
        guard case .cookie(let again) = HTTPCookie.read(line: cookie.fileLine[...]) else {
            Issue.record("\(cookie.fileLine)")
            return
        }
        #expect(CookieKey(again) == CookieKey(cookie))
    }

    @Test("S-02 the client splits a Strict-Transport-Security at semicolons, and compares bytes")
    func strictTransport() {
        #expect(HSTSField("max-age=1;\u{301}x=y") == nil, "no token")
        #expect(HSTSField("max-age=1\u{37E} includeSubDomains") == nil, "U+037E is no semicolon")
        #expect(HSTSField("max-age=\"\u{301}\"") == nil)
        #expect(HSTSField("max-age=\"") == nil)
        for line in ["a \"\u{301}\"", "a \"", "a \"\"", "\u{301} \"unlimited\"", "\" \""] {
            _ = HSTSFile.read(Data(line.utf8))
        }
        let one = HSTSFile.read(Data("a\u{301}.x \"unlimited\"\n\u{e1}.x \"unlimited\"\n".utf8))
        #expect(one.invalidLine == nil)
    }

    @Test("C-01 the cache tells apart URLs that only look the same")
    func cacheKeys() throws {
        let key = try #require(CacheKey("http://h/K"))
        #expect(CacheKey("http://h/\u{212A}") != key)
        #expect(CacheKey("http://h/\u{212A}")?.hashValue != key.hashValue)
        #expect(CacheKey("http://h\u{301}:80/a")?.url == "http://h\u{301}/a")
        #expect(CacheKey("http://h/\u{301}")?.url.hasBytes(of: "http://h/\u{301}") == true)
        #expect(CacheKey("http:/\u{301}/h/") == nil)
        let fields = HTTPHeaderFields(["X": "K"])
        let selection = VarySelection(["x"], of: fields)
        #expect(!selection.matches(HTTPHeaderFields(["X": "\u{212A}"])))
        #expect(VarySelection.names(HTTPHeaderFields(["Vary": "a,\u{301}b"]))?.count == 2)
    }

    @Test("T-08 a tag that only looks the same is another file's")
    func validators() {
        let tag = EntityValidator.entityTag("\"K\"")
        #expect(tag != .entityTag("\"\u{212A}\""))
        #expect(tag.isContradicted(by: HTTPHeaderFields(["ETag": "\"\u{212A}\""])))
        let weakValidators = WeakValidators(HTTPHeaderFields(["ETag": "W/\"K\""]))
        #expect(weakValidators.isContradicted(by: HTTPHeaderFields(["ETag": "W/\"\u{212A}\""])))
    }

    @Test("S-03 the client compares a challenge's words as bytes")
    func challenges() {
        func challenge(_ text: String) -> DigestChallenge? {
            HTTPChallenge.challenges(in: [text]).first.flatMap(DigestChallenge.init)
        }
        #expect(challenge("Digest nonce=\"n\", algorithm=md5-sess")?.isSession == true)
        #expect(challenge("Digest nonce=\"n\", algorithm=\"MD5-\u{17F}ESS\"") == nil)
        #expect(challenge("Digest nonce=\"n\", qop=\"auth,\u{301}auth-int\"")?.offersAuth == true)
        let spaces = ["K", "\u{212A}"].map {
            URLProtectionSpace(
                host: "h",
                port: 80,
                protocol: "http",
                realm: $0,
                authenticationMethod: nil
            )
        }
        #expect(Set(spaces).count == 2)
        #expect(spaces[0].key != spaces[1].key)
    }

    @Test("S-03 the client compares a netrc's machine and login as bytes")
    func netrc() throws {
        let netrc = try Netrc("machine \u{212A}.example login K password p".utf8)
        #expect(netrc.entry(for: "k.example") == nil)
        #expect(netrc.entry(for: "\u{212A}.example", login: "\u{212A}") == nil)
        #expect(netrc.entry(for: "\u{212A}.example", login: "K") != nil)
        #expect(netrc.entry(for: "[") == nil)
    }

    /// Hosts in which a character joins its predecessor into one character of Swift.
    @Test(
        "a host's or a proxy's text ends the reading alone",
        arguments: [
            "[::1]\u{301}:80", "[\u{301}::1]:80", "[", "]", "[]", "h:\u{301}80", "h\u{301}:80", ":",
            "h:", "@\u{301}h", "u:\u{301}p@h:1", "h/\u{301}", ".\u{301}", "*.\u{301}", "1/\u{301}2",
            "[::1%\u{301}eth0]", "http://\u{301}", "\u{212A}://h", "h:99999999999999999999",
        ]
    )
    func hosts(text: String) {
        _ = HostAndPort(text[...])
        _ = ProxyServer(text)
        _ = NoProxyList(text).contains(host: text, port: 80)
        _ = HTTPTarget("http://" + text)
        _ = CacheKey("http://" + text)
        #expect(ProxyServer("\u{212A}://h") == nil)
    }
}

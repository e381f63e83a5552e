import FoundationEssentials
import HTTPSemantics
import Testing

@Suite("Cookies")
struct CookieRulesTests {
    /// A cookie's path, a request's path, and whether the request sends the cookie.
    private static let paths: [(String, String, Bool)] = [
        ("/\u{212A}", "/K", false), ("/\u{212A}", "/KK", false), ("/K", "/\u{212A}", false),
        ("/\u{212A}", "/\u{212A}/x", true), ("/a", "/a/\u{301}", true), ("/a", "/a\u{301}", false),
        ("/e\u{301}", "/\u{e9}/x", false), ("/", "/\u{301}", true),
    ]

    @Test(
        "C-03 paths are compared byte by byte, so that a cookie goes to its own folder only",
        arguments: paths
    )
    func cookiePath(path: String, wanted: String, isBelow: Bool) {
        #expect(CookieRules.isPath(wanted, within: path) == isBelow)
    }

    @Test(
        "a host is within a domain behind a dot, and an IP address is within itself only",
        arguments: [
            ("h.example", "h.example", false, true), ("a.h.example", "h.example", false, true),
            ("ah.example", "h.example", false, false), ("example", "h.example", false, false),
            ("127.0.0.1", "0.0.1", true, false), ("127.0.0.1", "127.0.0.1", true, true),
            ("\u{212A}.example", "k.example", false, false),
        ]
    )
    func host(host: String, domain: String, isAddress: Bool, isWithin: Bool) {
        #expect(CookieRules.isHost(host, within: domain[...], isAddress: isAddress) == isWithin)
    }

    @Test(
        "a cookie without a path gets the folder of its request",
        arguments: [
            ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"), ("", "/"),
            ("/\u{301}/b", "/\u{301}"),
        ]
    )
    func defaultPath(path: String, folder: String) {
        #expect(CookieRules.defaultPath(path) == folder)
    }

    @Test("a name, value or domain has no character that ends a field or a line")
    func syntax() {
        for text in ["a;b", "a\r\nb", "a\tb", "\u{0}"] {
            #expect(!CookieRules.isName(text) && !CookieRules.isValue(text), "\(text)")
        }
        for name in ["", "a=b", " a", "a "] { #expect(!CookieRules.isName(name), "\(name)") }
        #expect(
            CookieRules.isName("__Host-a") && CookieRules.isValue("") && CookieRules.isValue("a=b")
        )
        for domain in ["", ".", "a b", "a/b", "a;b", "u@h"] {
            #expect(!CookieRules.isDomain(domain), "\(domain)")
        }
        #expect(CookieRules.isDomain(".h.example") && CookieRules.isDomain("[::1]"))
    }

    @Test("a field of several cookies is split at commas before a name, and not within a date")
    func split() {
        let text = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2,c=3; Path=/x,y"
        #expect(
            SetCookieField.split(text) == [
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", " b=2", "c=3; Path=/x,y",
            ]
        )
    }

    @Test(
        "a cookie has a name, a value and attributes in any case; the last of equal attributes counts"
    )
    func field() {
        let field = SetCookieField(" n = v=w ; PATH=/a; path = /b;Secure;; Domain=")
        #expect(field.name == "n" && field.value == "v=w")
        #expect(field.attributes["path"] == "/b")
        #expect(field.attributes["secure"] == "" && field.attributes["domain"] == "")
        #expect(SetCookieField("nonsense").name == "")
    }

    @Test(
        "Max-Age counts before Expires, up to the longest life; a past Expires ends the cookie",
        arguments: [
            ("a=b; Max-Age=60", 60), ("a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 60),
            ("a=b; Max-Age=99999999999999999999", 1_000),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 10), ("a=b", nil),
            ("a=b; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 10), ("a=b; Max-Age=6x", nil),
            ("a=b; Max-Age=6x; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 10),
            ("a=b; Max-Age=60; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 60),
            ("a=b; Expires=soon", nil),
        ] as [(String, Double?)]
    )
    func end(text: String, seconds: Double?) {
        let end = SetCookieField(text[...]).end(Date(timeIntervalSince1970: 0), longestLife: 1_000)
        #expect(end?.timeIntervalSince1970 == seconds)
        for age in ["0", "-1", "-99999999999999999999"] {
            let field = SetCookieField("a=b; max-age=\(age)"[...])
            #expect(field.end(.now, longestLife: 1_000) == .distantPast)
        }
    }
}

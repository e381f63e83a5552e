import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Cookie jar")
struct CookieJarTests {
    private func jar(_ cookies: [HTTPCookie]) -> CookieJar {
        var jar = CookieJar()
        for (number, cookie) in cookies.enumerated() {
            jar.set([cookie], created: Date(timeIntervalSince1970: Double(number)), .now)
        }
        return jar
    }

    private func names(_ jar: CookieJar, _ url: String) throws -> [String] {
        let place = try #require(URL(string: url).flatMap(CookiePlace.init))
        return jar.cookies(for: place, .now).map { "\($0.name)=\($0.value)" }
    }

    @Test("C-03 longer paths come first, then older cookies; a new value keeps the cookie's age")
    func order() throws {
        let jar = jar([
            cookie("a"), cookie("b", path: "/x"), cookie("c"), cookie("d", path: "/x/y"),
            cookie("a", "2"),
        ])
        #expect(try names(jar, "http://example.com/x/y/z") == ["d=1", "b=1", "a=2", "c=1"])
        #expect(try names(jar, "http://example.com/xy") == ["a=2", "c=1"])
    }

    /// A cookie's domain and path, a URL, and whether the cookie is sent there.
    static let matches: [(String, String, String, Bool)] = [
        ("example.com", "/", "http://example.com/", true),
        ("example.com", "/", "http://EXAMPLE.com", true),
        ("example.com", "/", "http://a.example.com/", false),
        (".example.com", "/", "http://a.example.com/", true),
        (".example.com", "/", "http://example.com/", true),
        (".example.com", "/", "http://badexample.com/", false),
        (".example.com", "/", "http://com/", false),
        ("127.0.0.1", "/", "http://127.0.0.1:81/", true),
        (".0.0.1", "/", "http://127.0.0.1/", false),
        ("::1", "/", "http://[::1]:81/", true),
        ("example.com", "/x", "http://example.com/x", true),
        ("example.com", "/x", "http://example.com/x/y?q", true),
        ("example.com", "/x", "http://example.com/xy", false),
        ("example.com", "/x/", "http://example.com/x", false),
        ("example.com", "/x", "http://example.com/y/../x/z", true),
        ("example.com", "/x", "http://example.com/x/../y", false),
        ("example.com", "/", "ftp://example.com/", false),
    ]

    @Test("C-03 a cookie is sent to its hosts and paths only", arguments: matches)
    func matching(domain: String, path: String, url: String, isSent: Bool) throws {
        let place = URL(string: url).flatMap(CookiePlace.init)
        let matches = place.map { cookie("a", domain: domain, path: path).matches($0) } ?? false
        #expect(matches == isSent)
    }

    @Test("C-03 a Secure cookie is sent to loopback hosts over plain HTTP, and to no others")
    func secure() throws {
        for host in ["example.com", "localhost", "127.0.0.1"] {
            let jar = jar([cookie("a", domain: host, isSecure: true)])
            #expect(try names(jar, "https://\(host)/") == ["a=1"])
            #expect(try names(jar, "http://\(host)/") == (host == "example.com" ? [] : ["a=1"]))
        }
    }

    @Test("C-03 a cookie over plain HTTP does not replace a Secure one")
    func wouldShadowSecure() {
        let jar = jar([cookie("a", domain: ".example.com", path: "/login", isSecure: true)])
        #expect(jar.wouldShadowSecure(cookie("a", domain: ".example.com", path: "/login")))
        #expect(jar.wouldShadowSecure(cookie("a", domain: "x.example.com", path: "/login/en")))
        #expect(!jar.wouldShadowSecure(cookie("a", domain: ".example.com", path: "/loginhelper")))
        #expect(!jar.wouldShadowSecure(cookie("a", domain: ".example.com", path: "/")))
        #expect(!jar.wouldShadowSecure(cookie("b", domain: ".example.com", path: "/login")))
        #expect(!jar.wouldShadowSecure(cookie("a", domain: ".example.org", path: "/login")))
        #expect(
            !jar.wouldShadowSecure(
                cookie("a", domain: ".example.com", path: "/login", isSecure: true)
            )
        )
    }

    @Test("an expired cookie removes its predecessor, and is not stored")
    func ended() throws {
        var jar = jar([cookie("a", expires: farAhead), cookie("b", expires: 7)])
        #expect(jar.cookies(.now).map(\.name) == ["a"])
        let gone = cookie("a", expires: 1)
        #expect(jar.set([gone], created: .now, .now).changed == [gone])
        #expect(jar.cookies(.now).isEmpty)
        #expect(jar.set([gone], created: .now, .now).changed == [])
    }

    @Test("the oldest cookie of a domain is evicted first, and then the oldest of all")
    func room() throws {
        var jar = CookieJar()
        for number in 0...CookieJar.maximumPerDomain {
            let (_, evicted) = jar.set([cookie("\(number)")], created: .now, .now)
            #expect(evicted.map(\.name) == (number == CookieJar.maximumPerDomain ? ["0"] : []))
        }
        for number in 0..<CookieJar.most {
            jar.set([cookie("x", domain: "h\(number).example")], created: .now, .now)
        }
        #expect(jar.cookies(.now).count == CookieJar.most)
        #expect(jar.cookies(.now).first?.domain == "h0.example")
    }

    @Test("a Secure cookie is evicted after all others")
    func roomForSecureCookies() {
        var jar = CookieJar()
        jar.set([cookie("safe", isSecure: true)], created: .now, .now)
        for number in 0...CookieJar.maximumPerDomain {
            jar.set([cookie("\(number)")], created: .now, .now)
        }
        #expect(jar.cookies(.now).contains { $0.name == "safe" })
    }

    @Test("cookies since a moment can be removed")
    func removed() throws {
        var jar = jar([cookie("a"), cookie("b"), cookie("c")])
        #expect(jar.remove(since: Date(timeIntervalSince1970: 1)).map(\.name) == ["b", "c"])
        #expect(jar.cookies(.now).map(\.name) == ["a"])
    }

    @Test("many cookies at once leave as many as one after another, in a moment")
    func many() {
        let cookies =
            (0..<20_000).map { cookie("\($0)", domain: "h\($0 % 9_000).example") }
            + (0..<200).map { cookie("\($0)", domain: "one.example") }
        var jar = CookieJar()
        let (changed, evicted) = jar.set(cookies, created: .now, .now)
        #expect(changed.count == 20_200)
        #expect(evicted.count == 20_200 - CookieJar.most)
        let left = jar.cookies(.now)
        #expect(left.count { $0.domain == "one.example" } == CookieJar.maximumPerDomain)
        #expect(left.last?.name == "199")
        #expect(left.count == CookieJar.most)
    }
}

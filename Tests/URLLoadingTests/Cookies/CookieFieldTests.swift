import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Cookies in a response's header")
struct CookieFieldTests {
    private func cookies(
        _ value: String,
        from address: String = "https://www.example.com/a/b?c"
    ) throws -> [HTTPCookie] {
        HTTPCookie.cookies(withResponseHeaderFields: ["set-cookie": value], for: try url(address))
    }

    @Test("C-03 name, value, domain and path follow RFC 6265")
    func plain() throws {
        let cookie = try #require(try cookies("a=b").first)
        #expect(cookie.name == "a")
        #expect(cookie.value == "b")
        #expect(cookie.domain == "www.example.com")
        #expect(cookie.path == "/a")
        #expect(cookie.isSessionOnly)
        let full = try #require(
            try cookies(
                "a = \"b c\" ; Domain=.Example.com; Path=/x; Secure; HttpOnly; SameSite=Lax"
            ).first
        )
        #expect(full.value == "\"b c\"")
        #expect(full.domain == ".example.com")
        #expect(full.path == "/x")
        #expect(full.isSecure && full.isHTTPOnly)
        #expect(full.sameSitePolicy == .sameSiteLax)
    }

    @Test("C-03 several cookies are separated by commas, which dates contain as well")
    func several() throws {
        let found = try cookies(
            "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/, b=2,c=3; Path=/d"
        )
        #expect(found.map(\.name) == ["a", "b", "c"])
        #expect(found.map(\.path) == ["/", "/a", "/d"])
        #expect(found[0].expiresDate == Date(timeIntervalSince1970: 4_116_219_494))
    }

    @Test(
        "C-03 Max-Age counts before Expires, and a past time has expired",
        arguments: [
            ("a=1; Max-Age=0", true), ("a=1; Max-Age=-1", true), ("a=1; max-age=60", false),
            ("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", false),
            ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true),
            ("a=1; Max-Age=99999999999999999999999", false),
        ]
    )
    func ages(value: String, hasEnded: Bool) throws {
        let cookie = try #require(try cookies(value).first)
        #expect(cookie.hasExpired(.now) == hasEnded)
    }

    @Test(
        "C-03 malformed cookies, and cookies of other hosts, are dropped",
        arguments: [
            "", "a", "=b", "; Path=/", "a=\u{1}", "a=b; Domain=example.org",
            "a=b; Domain=ample.com", "a=b; Domain=sub.www.example.com", "a=b; Domain=com",
            "a=b; Domain=example.com.", "__Secure-a=b", "__Host-a=b; Secure",
            "__Host-a=b; Secure; Path=/; Domain=example.com",
        ]
    )
    func refused(value: String) throws {
        #expect(try cookies(value).isEmpty)
    }

    @Test("C-03 a plain URL sets no Secure cookie, and a URL without a host sets none")
    func origins() throws {
        #expect(try cookies("a=b; Secure", from: "http://example.com/").isEmpty)
        #expect(try cookies("a=b; Domain=127.0.0.1", from: "http://127.0.0.1/").count == 1)
        #expect(try cookies("a=b", from: "data:,x").isEmpty)
        #expect(try cookies("__Host-a=b; Secure; Path=/").count == 1)
    }
}

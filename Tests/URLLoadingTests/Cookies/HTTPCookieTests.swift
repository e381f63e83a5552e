import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Cookies as values")
struct HTTPCookieTests {
    @Test("C-03 a cookie is made from Foundation's properties, and returns them")
    func properties() throws {
        let made = try #require(
            HTTPCookie(properties: [
                .name: "a", .value: "b c", .domain: ".Example.com", .path: "/x",
                .secure: "TRUE", .expires: Date(timeIntervalSince1970: farAhead),
                .sameSitePolicy: HTTPCookieStringPolicy.sameSiteStrict,
                HTTPCookiePropertyKey("HttpOnly"): true,
            ])
        )
        #expect(made.domain == ".example.com")
        #expect(made.isSecure && made.isHTTPOnly && !made.isSessionOnly)
        #expect(made.sameSitePolicy == .sameSiteStrict)
        #expect(made.properties.flatMap(HTTPCookie.init(properties:)) == made)
    }

    @Test("C-03 a maximum age counts before a date, and discard before both")
    func ages() throws {
        let base: [HTTPCookiePropertyKey: Any] = [
            .name: "a", .value: "", .originURL: "https://h.example/p", .path: "/",
            .expires: "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let dated = try #require(HTTPCookie(properties: base))
        #expect(dated.domain == "h.example")
        #expect(dated.expiresDate == Date(timeIntervalSince1970: 784_111_777))
        let aged = HTTPCookie(properties: base.merging([.maximumAge: "100"]) { $1 })
        #expect((aged?.expiresDate ?? .distantPast) > .now)
        #expect(
            HTTPCookie(properties: base.merging([.discard: "TRUE"]) { $1 })?.isSessionOnly == true
        )
    }

    /// Changes of one property that make it invalid.
    static let invalid: [[HTTPCookiePropertyKey: String]] = [
        [.name: ""], [.name: "a=b"], [.name: "a\tb"], [.name: " a"], [.value: "a;b"],
        [.value: "a\r\nX: y"], [.value: "a\u{0}"], [.path: "x"], [.path: "/\t"], [.domain: ""],
        [.domain: "."], [.domain: "a b"], [.domain: "a/b"],
    ]

    @Test("properties that cannot be sent make no cookie", arguments: invalid)
    func rejected(change: [HTTPCookiePropertyKey: String]) {
        let good: [HTTPCookiePropertyKey: Any] = [
            .name: "a", .value: "b", .path: "/", .domain: "example.com",
        ]
        #expect(HTTPCookie(properties: good) != nil)
        #expect(HTTPCookie(properties: good.merging(change) { $1 }) == nil)
        #expect(HTTPCookie(properties: good.filter { $0.key != change.keys.first }) == nil)
    }

    @Test("a request has one Cookie field, and no description shows a value")
    func fields() {
        let cookies = [cookie("a", "1"), cookie("b", "secret")]
        #expect(HTTPCookie.requestHeaderFields(with: cookies) == ["Cookie": "a=1; b=secret"])
        #expect(HTTPCookie.requestHeaderFields(with: []) == [:])
        #expect(!"\(cookies)".contains("secret"))
    }
}

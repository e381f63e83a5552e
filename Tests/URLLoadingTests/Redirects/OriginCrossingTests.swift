import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Redirects across origins")
struct OriginCrossingTests {
    /// A redirect's target, and its relation to the request's own origin.
    struct Way: CustomTestStringConvertible, Sendable {
        let from: String
        let location: String
        let isSameOrigin: Bool
        let isDowngrade: Bool

        init(_ from: String, _ location: String, home: Bool = false, downgrade: Bool = false) {
            self.from = from
            self.location = location
            isSameOrigin = home
            isDowngrade = downgrade
        }

        var testDescription: String { "\(from) → \(location)" }
    }

    static let ways = [
        // The same host.
        Way("https://h.example/a", "/next", home: true),
        Way("https://h.example/a", "https://h.example/next", home: true),
        Way("https://h.example/a", "https://H.EXAMPLE:443/next", home: true),
        Way("http://h.example:80/a", "http://h.example/next", home: true),
        Way("http://[::1]:8080/a", "http://[::1]:8080/next", home: true),
        // Another port.
        Way("https://h.example/a", "https://h.example:8443/"),
        Way("http://h.example:8080/a", "http://h.example/"),
        // Another host.
        Way("https://h.example/a", "https://other.example/"),
        Way("https://h.example/a", "//other.example/"),
        Way("https://h.example/a", "https://sub.h.example/"),
        Way("https://sub.h.example/a", "https://h.example/"),
        Way("https://h.example/a", "https://h.example.evil.example/"),
        Way("https://h.example/a", "https://h.example@evil.example/"),
        Way("https://h.example/a", "https://h.example./"),
        Way("http://127.0.0.1/a", "http://localhost/"),
        // The scheme, down and up.
        Way("https://h.example/a", "http://h.example/", downgrade: true),
        Way("https://h.example/a", "http://h.example:443/", downgrade: true),
        Way("https://h.example/a", "http://other.example/", downgrade: true),
        Way("http://h.example/a", "https://h.example/"),
        Way("http://h.example:443/a", "https://h.example:443/"),
    ]

    /// A field, and whether it follows: to another origin, and out of TLS.
    static let fields: [(name: String, crosses: Bool, downgrades: Bool)] = [
        ("Authorization", false, false), ("authorization", false, false),
        ("Proxy-Authorization", false, false), ("Cookie", false, false),
        ("COOKIE", false, false), ("X-Api-Key", false, false), ("x-secret", false, false),
        ("Host", false, false), ("Referer", true, false), ("User-Agent", true, true),
        ("Accept", true, true), ("X-Other", true, true), ("Authorization-Not", true, true),
        ("Range", true, true),
    ]

    static let secretHeaders = ["X-API-KEY", "X-Secret"]

    @Test(
        "T-09 the leak matrix: every field follows every redirect only where it may",
        arguments: ways
    )
    func matrix(way: Way) throws {
        let names = ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "Host"]
        for status in [301, 302, 303, 307, 308] {
            for (name, crosses, downgrades) in Self.fields {
                var request = try request(way.from)
                request.setValue("secret", forHTTPHeaderField: name)
                let proposal = try #require(try propose(status, way, request))
                let follows = way.isSameOrigin || (way.isDowngrade ? downgrades : crosses)
                let value = proposal.request.value(forHTTPHeaderField: name)
                #expect((value == "secret") == follows, "\(status) \(name)")
                #expect(proposal.dropped == (follows ? [] : [.field(name)]), "\(status) \(name)")
            }
            var request = try request(way.from)
            for name in names { request.setValue("secret", forHTTPHeaderField: name) }
            let dropped = try #require(try propose(status, way, request)).dropped
            #expect(dropped == (way.isSameOrigin ? [] : names.map { .field($0) }), "\(status)")
        }
    }

    @Test(
        "T-09 a URL's user and password stay with their origin, and the proposal names them",
        arguments: ways
    )
    func userInfo(way: Way) throws {
        let own = way.from.replacing("://", with: "://me:pw@")
        let proposal = try #require(try propose(302, way, request(own)))
        let target = try #require(proposal.request.url)
        #expect((target.user() == "me") == way.isSameOrigin)
        #expect((target.password() == "pw") == way.isSameOrigin)
        #expect(proposal.dropped == (way.isSameOrigin ? [] : [.userInfo]))
    }

    private func propose(
        _ status: Int,
        _ way: Way,
        _ request: URLRequest
    ) throws -> RedirectPolicy.Proposal? {
        let response = HTTPURLResponse(
            url: try #require(request.url),
            statusCode: status,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(["Location": way.location])
        )
        return try RedirectPolicy.proposal(
            after: response,
            to: request,
            secretHeaders: Self.secretHeaders
        )
    }
}

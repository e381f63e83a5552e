import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Redirect policy")
struct RedirectPolicyTests {
    private func propose(
        _ status: Int,
        _ location: String,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> RedirectPolicy.Proposal? {
        var request = try request("http://h.example/a/b?q#frag")
        change(&request)
        let response = HTTPURLResponse(
            url: try url("http://h.example/a/b?q#frag"),
            statusCode: status,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(["Location": location])
        )
        return try RedirectPolicy.proposal(after: response, to: request)
    }

    /// Method, status, the method that follows, whether the body follows.
    static let methods: [(String, Int, String, Bool)] = [
        ("GET", 301, "GET", true), ("HEAD", 301, "HEAD", true), ("POST", 301, "GET", false),
        ("PUT", 301, "PUT", true), ("POST", 302, "GET", false), ("PUT", 302, "PUT", true),
        ("DELETE", 302, "DELETE", true), ("HEAD", 303, "HEAD", true), ("POST", 303, "GET", false),
        ("PUT", 303, "GET", false), ("GET", 303, "GET", true), ("POST", 307, "POST", true),
        ("PUT", 308, "PUT", true), ("HEAD", 307, "HEAD", true),
    ]

    @Test("T-09 the status decides the method and the body", arguments: methods)
    func method(method: String, status: Int, next: String, keepsBody: Bool) throws {
        let proposal = try #require(
            try propose(status, "/next") {
                $0.httpMethod = method
                $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            }
        )
        #expect((proposal.request.httpMethod ?? "GET") == next)
        #expect(proposal.keepsBody == keepsBody)
        let type = proposal.request.value(forHTTPHeaderField: "Content-Type")
        #expect(type == (keepsBody ? "text/plain" : nil))
    }

    /// Method, status, the statuses that keep a POST, the method that follows.
    static let kept: [(String, Int, Set<Int>, String)] = [
        ("POST", 301, [301], "POST"), ("POST", 302, [301], "GET"), ("POST", 302, [302], "POST"),
        ("POST", 303, [303], "POST"), ("POST", 303, [301, 302], "GET"),
        ("PUT", 303, [301, 302, 303], "GET"), ("GET", 303, [303], "GET"),
        ("POST", 307, [], "POST"),
    ]

    @Test("a POST stays one after the statuses that the session names", arguments: kept)
    func keptPost(method: String, status: Int, keeping: Set<Int>, next: String) throws {
        var request = try request("http://h.example/a")
        request.httpMethod = method
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let response = HTTPURLResponse(
            url: try url("http://h.example/a"),
            statusCode: status,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(["Location": "/b"])
        )
        let found = try RedirectPolicy.proposal(after: response, to: request, keepingPost: keeping)
        let proposal = try #require(found)
        #expect(proposal.request.httpMethod == next)
        #expect(proposal.keepsBody == (next == method))
        let type = proposal.request.value(forHTTPHeaderField: "Content-Type")
        #expect(type == (next == method ? "text/plain" : nil))
    }

    @Test("a request target stays with its own URL")
    func target() throws {
        for location in ["/next", "http://h.example/a/b?q", "http://other.example/"] {
            let proposal = try propose(302, location) { $0.httpRequestTarget = "*" }
            #expect(try #require(proposal).request.httpRequestTarget == nil)
        }
    }

    @Test("T-09 other statuses are no redirects", arguments: [200, 300, 304, 305, 306, 400])
    func others(status: Int) throws {
        #expect(try propose(status, "/next") == nil)
    }

    /// The references of RFC 3986 §5.4 that an HTTP server may send, and more.
    static let references: [(String, String)] = [
        ("next", "http://h.example/a/next#frag"), ("/next", "http://h.example/next#frag"),
        ("../next", "http://h.example/next#frag"), ("?x", "http://h.example/a/b?x#frag"),
        ("//k.example/n", "http://k.example/n#frag"), ("./", "http://h.example/a/#frag"),
        ("https://h.example/n", "https://h.example/n#frag"),
        ("next#own", "http://h.example/a/next#own"),
        ("../../../n", "http://h.example/n#frag"),
        // A character that no URL may contain is encoded, and escapes beside it stay.
        ("/a%20b c?x=%3D d", "http://h.example/a%20b%20c?x=%3D%20d#frag"),
        ("/caf%E9/x|y", "http://h.example/caf%E9/x%7Cy#frag"),
        ("//k.example:8080/é%20", "http://k.example:8080/%C3%A9%20#frag"),
        ("http://[::1]/a b%20#c#d", "http://[::1]/a%20b%20#c%23d"),
    ]

    @Test("T-09 the policy resolves references, and keeps a fragment", arguments: references)
    func reference(location: String, target: String) throws {
        #expect(try propose(302, location)?.request.url?.absoluteString == target)
    }

    @Test(
        "T-09 a host with letters that map to a delimiter is no target",
        arguments: [
            "//other.\u{A0}//x", "//good.example\u{FF0F}.evil.example/",
            "//good.example\u{FF20}evil.example/", "http://good.example\u{FF1A}80/",
            "//a%E2%84%80b/", "http://h.example\u{FF03}x/", "http://[v1.x]:1/",
            "//" + String(repeating: "a.", count: 128),
        ]
    )
    func noHost(location: String) throws {
        let error = try #require(throws: URLError.self) { try propose(302, location) }
        #expect(error.code == .redirectToNonExistentLocation)
    }

    /// A target, and whether credentials follow.
    static let targets: [(String, Bool)] = [
        ("/next", true), ("http://h.example/next", true), ("http://H.EXAMPLE:80/next", true),
        ("http://h.example:8080/next", false), ("https://h.example/next", false),
        ("http://other.example/next", false), ("http://sub.h.example/next", false),
        ("http://h.example.evil.example/", false), ("//other.example/next", false),
    ]

    @Test("T-09 only the same origin gets its credentials", arguments: targets)
    func crossing(location: String, stays: Bool) throws {
        let proposal = try propose(302, location) { request in
            for name in ["Authorization", "COOKIE", "proxy-authorization", "Host", "X-Other"] {
                request.setValue("v", forHTTPHeaderField: name)
            }
        }
        let next = try #require(proposal).request
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] {
            #expect((next.value(forHTTPHeaderField: name) != nil) == stays, "\(name)")
        }
        #expect(next.value(forHTTPHeaderField: "X-Other") == "v")
    }

    @Test("T-09 a target whose user cannot be removed is no target")
    func userAndHost() throws {
        #expect {
            try propose(302, "http://o@hxapl\u{FFFD}")
        } throws: {
            ($0 as? URLError)?.code == .redirectToNonExistentLocation
        }
    }

    @Test("T-09 a target's user and password do not count, and the request's own stay home")
    func userInfo() throws {
        let evil = try propose(302, "http://evil:pw@h.example/next")
        #expect(evil?.request.url?.absoluteString == "http://h.example/next#frag")
        let own = try propose(302, "/next") { $0.url = URL(string: "http://me:pw@h.example/") }
        #expect(own?.request.url?.absoluteString == "http://me:pw@h.example/next")
        let away = try propose(302, "//k.example/") {
            $0.url = URL(string: "http://me:pw@h.example/")
        }
        #expect(away?.request.url?.absoluteString == "http://k.example/")
    }
}

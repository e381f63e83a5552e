import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Proxies of the environment")
struct ProxyEnvironmentTests {
    private func choice(
        _ target: String,
        _ environment: [String: String],
        noProxy: String? = nil
    ) throws -> ProxyEnvironment.Choice {
        let origin = try #require(Origin(url(target)))
        return ProxyEnvironment(noProxy: noProxy, environment: { environment[$0] })
            .choice(for: origin)
    }

    /// A URL, the environment, and the host of the proxy.
    static let choices: [(String, [String: String], String?)] = [
        ("http://h.example/", [:], nil), ("http://h.example/", ["http_proxy": "p"], "p"),
        ("http://h.example/", ["HTTP_PROXY": "p"], nil),
        ("http://h.example/", ["https_proxy": "p"], nil),
        ("http://h.example/", ["http_proxy": "p", "all_proxy": "q"], "p"),
        ("http://h.example/", ["all_proxy": "q", "ALL_PROXY": "r"], "q"),
        ("http://h.example/", ["ALL_PROXY": "r"], "r"),
        ("http://h.example/", ["http_proxy": "", "all_proxy": "q"], "q"),
        ("https://h.example/", ["https_proxy": "p", "HTTPS_PROXY": "q"], "p"),
        ("https://h.example/", ["HTTPS_PROXY": "q"], "q"),
        ("https://h.example/", ["http_proxy": "p"], nil),
        ("https://h.example/", ["https_proxy": "", "HTTPS_PROXY": "q"], "q"),
        ("https://h.example/", ["ALL_PROXY": "r"], "r"),
        ("http://h.example/", ["http_proxy": "p", "no_proxy": "h.example"], nil),
        ("http://h.example/", ["http_proxy": "p", "NO_PROXY": "h.example"], nil),
        ("http://h.example/", ["http_proxy": "p", "no_proxy": "x", "NO_PROXY": "*"], "p"),
        ("http://h.example/", ["http_proxy": "p", "no_proxy": "", "NO_PROXY": "*"], nil),
        ("https://h.example/", ["https_proxy": "p", "no_proxy": "h.example:443"], nil),
        ("https://h.example/", ["https_proxy": "p", "no_proxy": "h.example:80"], "p"),
        ("http://[::1]:8080/", ["http_proxy": "p", "no_proxy": "[::1]:8080"], nil),
    ]

    @Test("the scheme's variable precedes ALL_PROXY", arguments: choices)
    func variable(target: String, environment: [String: String], host: String?) throws {
        let expected = host.flatMap { ProxyServer($0) }.map(ProxyEnvironment.Choice.proxy)
        #expect(try choice(target, environment) == expected ?? .direct)
    }

    @Test("a caller's list replaces the environment's")
    func list() throws {
        let environment = ["http_proxy": "p", "no_proxy": "*"]
        #expect(try choice("http://h.example/", environment, noProxy: "") != .direct)
        #expect(try choice("http://h.example/", environment, noProxy: "h.example") == .direct)
    }

    @Test("a malformed variable is an error that names it, where the client would use it")
    func malformed() throws {
        let environment = ["http_proxy": "gopher://p", "no_proxy": "k.example"]
        #expect(try choice("http://h.example/", environment) == .malformed(variable: "http_proxy"))
        #expect(try choice("http://k.example/", environment) == .direct)
        #expect(try choice("https://h.example/", environment) == .direct)
    }

    /// A proxy's URL, and its parts: the URL in full, user, password.
    static let servers: [(String, String, String?, String?)] = [
        ("p.example", "http://p.example:1080", nil, nil),
        ("p.example:3128", "http://p.example:3128", nil, nil),
        ("HTTP://P.example:3128/", "http://p.example:3128", nil, nil),
        ("https://p.example", "https://p.example:443", nil, nil),
        ("socks5h://p.example", "socks5h://p.example:1080", nil, nil),
        ("socks://127.0.0.1:1080/", "socks4://127.0.0.1:1080", nil, nil),
        ("SOCKS4A://127.0.0.1:9050", "socks4a://127.0.0.1:9050", nil, nil),
        ("http://[::1]:3128", "http://[::1]:3128", nil, nil),
        ("http://me@p.example", "http://p.example:1080", "me", nil),
        ("http://me:@p.example", "http://p.example:1080", "me", ""),
        ("http://me:p:w@p.example", "http://p.example:1080", "me", "p:w"),
        ("http://m%40e:p%2Fw%3a@p.example", "http://p.example:1080", "m@e", "p/w:"),
        ("http://me:p@ss@p.example:1", "http://p.example:1", "me", "p@ss"),
    ]

    @Test("the client reads a proxy's URL in all its forms", arguments: servers)
    func server(text: String, full: String, user: String?, password: String?) throws {
        let server = try #require(ProxyServer(text))
        #expect(server.url == full)
        #expect(server.user == user)
        #expect(server.password?.text == password)
        #expect(!"\(server)".contains("p:w"))
    }

    @Test(
        "the client refuses a URL that is no proxy's",
        arguments: [
            "", "http://", "http:///", "ftp://p", "://p", "http://p:port", "http://p:70000",
            "http://p p", "http://p\r\n", "http://[::1", "http://[::1]x", "http://me%zz@p",
            "http://me%ff@p", "http://me:%4@p", "http://@", ":3128",
            "http://p/path", "me:p/w@p", "http://p.example/@evil", "http://p?x@evil",
            "http://a:b:c",
            "http://[x]:1",
        ]
    )
    func noServer(text: String) {
        #expect(ProxyServer(text) == nil)
    }

    @Test(
        "a proxy's URL is the same after writing and reading, whatever its letters",
        arguments: ["h@\u{301}", "http://\u{301}h", "\u{301}:80", "h\u{212A}", "http:/\u{301}/h"]
    )
    func writtenAsRead(text: String) {
        guard let server = ProxyServer(text) else { return }
        let again = ProxyServer(server.url)
        #expect(again?.host.utf8.elementsEqual(server.host.utf8) == true, "\(server.url)")
        #expect(again?.port == server.port)
    }

    @Test("a proxy has its own protection space")
    func space() throws {
        let space = try #require(ProxyServer("https://p.example"))
            .protectionSpace(realm: "r", authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #expect(space.isProxy() && space.receivesCredentialSecurely)
        #expect(space.host == "p.example" && space.port == 443 && space.realm == "r")
        let socks = try #require(ProxyServer("socks5://p.example"))
            .protectionSpace(realm: nil, authenticationMethod: nil)
        #expect(socks.proxyType == NSURLProtectionSpaceSOCKSProxy)
    }
}

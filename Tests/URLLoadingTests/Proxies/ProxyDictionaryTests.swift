import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Proxies by CFNetwork's keys")
struct ProxyDictionaryTests {
    private static let all: [String: any Sendable] = [
        kCFNetworkProxiesHTTPEnable: true, kCFNetworkProxiesHTTPProxy: "p.example",
        kCFNetworkProxiesHTTPPort: 3_128, kCFNetworkProxiesHTTPSEnable: 1,
        kCFNetworkProxiesHTTPSProxy: "q.example", kCFNetworkProxiesHTTPSPort: UInt16(3_129),
        kCFNetworkProxiesSOCKSEnable: 1, kCFNetworkProxiesSOCKSProxy: "s.example",
    ]

    private func server(
        _ dictionary: [String: any Sendable],
        for target: String,
        noProxy: String? = nil
    ) throws -> String? {
        let origin = try #require(Origin(url(target)))
        return try ProxyDictionary(dictionary, noProxy: noProxy).server(for: origin)?.url
    }

    @Test("S-05 each scheme has its own proxy, and SOCKS serves where there is none")
    func schemes() throws {
        var dictionary = Self.all
        #expect(try server(dictionary, for: "http://h.example/") == "http://p.example:3128")
        #expect(try server(dictionary, for: "https://h.example/") == "http://q.example:3129")
        dictionary[kCFNetworkProxiesHTTPSEnable] = 0
        #expect(try server(dictionary, for: "https://h.example/") == "socks5h://s.example:1080")
        dictionary[kCFStreamPropertySOCKSVersion] = kCFStreamSocketSOCKSVersion4
        #expect(try server(dictionary, for: "https://h.example/") == "socks4a://s.example:1080")
        dictionary[kCFNetworkProxiesSOCKSEnable] = false
        #expect(try server(dictionary, for: "https://h.example/") == nil)
        #expect(try server([:], for: "http://h.example/") == nil)
        #expect(try server([kCFNetworkProxiesHTTPProxy: "p"], for: "http://h.example/") == nil)
    }

    @Test("S-05 the client reaches exceptions and simple names directly")
    func exceptions() throws {
        var dictionary = Self.all
        dictionary[kCFNetworkProxiesExceptionsList] = ["*.local", "169.254/16", "h.example:81"]
        for direct in ["http://a.local/", "http://169.254.7.7/", "http://h.example:81/"] {
            #expect(try server(dictionary, for: direct) == nil, "\(direct)")
        }
        for other in ["http://h.example/", "http://169.255.7.7/", "http://simple/"] {
            #expect(try server(dictionary, for: other) != nil, "\(other)")
        }
        dictionary[kCFNetworkProxiesExcludeSimpleHostnames] = 1
        #expect(try server(dictionary, for: "http://simple/") == nil)
        #expect(try server(dictionary, for: "http://[2001:db8::1]/") != nil)
        #expect(try server(dictionary, for: "http://a.local/", noProxy: "x") != nil)
    }

    @Test("S-05 user and password are for the proxies, and stay hidden")
    func credential() throws {
        var dictionary = Self.all
        dictionary[kCFProxyUsernameKey] = "me"
        dictionary[kCFProxyPasswordKey] = "p%41@:/"
        let origin = try #require(Origin(url("http://h.example/")))
        let server = try #require(try ProxyDictionary(dictionary).server(for: origin))
        #expect(server.user == "me")
        #expect(server.password?.text == "p%41@:/")
        #expect(!"\(server)".contains("p%41"))
    }

    /// A change to the dictionary, and its error.
    static let invalid: [(String, any Sendable, ProxyDictionaryError)] = [
        ("HTTPproxy", "p", .unknownKey("HTTPproxy")), ("PAC", 1, .unknownKey("PAC")),
        (kCFNetworkProxiesHTTPEnable, "1", .value(key: kCFNetworkProxiesHTTPEnable)),
        (kCFNetworkProxiesHTTPProxy, 7, .value(key: kCFNetworkProxiesHTTPProxy)),
        (kCFNetworkProxiesHTTPProxy, "", .value(key: kCFNetworkProxiesHTTPProxy)),
        (kCFNetworkProxiesHTTPProxy, "http://p", .value(key: kCFNetworkProxiesHTTPProxy)),
        (kCFNetworkProxiesHTTPProxy, "me:pw@p", .value(key: kCFNetworkProxiesHTTPProxy)),
        (kCFNetworkProxiesHTTPProxy, "p\r\nX: y", .value(key: kCFNetworkProxiesHTTPProxy)),
        (kCFNetworkProxiesHTTPPort, "80", .value(key: kCFNetworkProxiesHTTPPort)),
        (kCFNetworkProxiesHTTPPort, 65_536, .value(key: kCFNetworkProxiesHTTPPort)),
        (kCFNetworkProxiesHTTPPort, UInt64.max, .value(key: kCFNetworkProxiesHTTPPort)),
        (kCFNetworkProxiesExceptionsList, "a,b", .value(key: kCFNetworkProxiesExceptionsList)),
        (kCFStreamPropertySOCKSVersion, "6", .value(key: kCFStreamPropertySOCKSVersion)),
        (
            kCFNetworkProxiesProxyAutoConfigEnable, true,
            .automatic(key: kCFNetworkProxiesProxyAutoConfigEnable)
        ),
        (
            kCFNetworkProxiesProxyAutoDiscoveryEnable, 1,
            .automatic(key: kCFNetworkProxiesProxyAutoDiscoveryEnable)
        ),
    ]

    @Test("S-05 the configuration refuses unsupported values", arguments: invalid)
    func refused(key: String, value: any Sendable, error: ProxyDictionaryError) {
        var dictionary = Self.all
        dictionary[key] = value
        #expect(throws: error) { try ProxyDictionary(dictionary) }
    }

    @Test("the configuration refuses a missing host, and accepts keys of unsupported schemes")
    func keys() throws {
        var dictionary = Self.all
        dictionary[kCFNetworkProxiesHTTPProxy] = nil
        let missing = ProxyDictionaryError.missing(key: kCFNetworkProxiesHTTPProxy)
        #expect(throws: missing) { try ProxyDictionary(dictionary) }
        dictionary = Self.all
        dictionary["FTPPassive"] = 1
        dictionary["RTSPEnable"] = 0
        dictionary[kCFNetworkProxiesProxyAutoConfigEnable] = 0
        #expect(throws: Never.self) { try ProxyDictionary(dictionary) }
    }
}

/// A session's proxies by CFNetwork's keys: see ``URLSessionConfiguration/connectionProxyDictionary``.
///
/// A scheme's own proxy goes first, then the SOCKS proxy.
struct ProxyDictionary: Sendable, Equatable {
    private var servers: [String: ProxyServer] = [:]
    private var socks: ProxyServer?
    private let exceptions: NoProxyList
    private let excludesSimpleNames: Bool

    /// Reads a dictionary.
    ///
    /// - Parameters:
    ///   - dictionary: the keys and values.
    ///   - noProxy: replaces the list of exceptions; `nil`: the dictionary's.
    /// - Throws: where a key is not known, or a value is nothing that it could mean.
    init(
        _ dictionary: [String: any Sendable],
        noProxy: String? = nil
    ) throws(ProxyDictionaryFlaw) {
        let values = ProxyDictionaryValues(dictionary)
        try values.check()
        let list = try values.texts(kCFNetworkProxiesExceptionsList)
        exceptions = NoProxyList(noProxy ?? list.map(Self.inFull).joined(separator: ","))
        excludesSimpleNames = try values.isOn(kCFNetworkProxiesExcludeSimpleHostnames)
        servers["http"] = try values.server(
            .http,
            enabled: kCFNetworkProxiesHTTPEnable,
            host: kCFNetworkProxiesHTTPProxy,
            port: kCFNetworkProxiesHTTPPort,
            otherwise: 80
        )
        servers["https"] = try values.server(
            .http,
            enabled: kCFNetworkProxiesHTTPSEnable,
            host: kCFNetworkProxiesHTTPSProxy,
            port: kCFNetworkProxiesHTTPSPort,
            otherwise: 443
        )
        socks = try values.server(
            try values.socksVersion(),
            enabled: kCFNetworkProxiesSOCKSEnable,
            host: kCFNetworkProxiesSOCKSProxy,
            port: kCFNetworkProxiesSOCKSPort,
            otherwise: 1_080
        )
    }

    /// An exception as `no_proxy` has it: a system's own list knows `169.254/16`.
    private static func inFull(_ exception: String) -> String {
        guard let slash = exception.firstIndex(of: "/"), !exception.contains(":") else {
            return exception
        }
        let numbers = exception[..<slash].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count < 4 else { return exception }
        let rest = Array(repeating: ".0", count: 4 - numbers.count).joined()
        return exception[..<slash] + rest + exception[slash...]
    }

    /// The proxy in the way to an origin; `nil`: none.
    func server(for origin: Origin) -> ProxyServer? {
        guard !exceptions.contains(host: origin.host, port: origin.port) else { return nil }
        let isSimple = !origin.host.contains { $0 == "." || $0 == ":" }
        guard !(excludesSimpleNames && isSimple) else { return nil }
        return servers[origin.scheme] ?? socks
    }
}

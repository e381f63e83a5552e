/// A session's proxies by CFNetwork's keys: see ``URLSessionConfiguration/connectionProxyDictionary``.
///
/// The proxy of the URL's scheme has precedence over the SOCKS proxy.
struct ProxyDictionary: Sendable, Equatable {
    private var servers: [String: ProxyServer] = [:]
    private var socks: ProxyServer?
    private let exceptions: NoProxyList
    private let excludesSimpleNames: Bool

    /// Parses a dictionary; `noProxy` replaces its list of exceptions.
    init(
        _ dictionary: [String: any Sendable],
        noProxy: String? = nil
    ) throws(ProxyDictionaryError) {
        let values = ProxyDictionaryValues(dictionary: dictionary)
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

    /// An exception in the form of `no_proxy`; the list of a system may have the form `169.254/16`.
    private static func inFull(_ exception: String) -> String {
        guard let slash = exception.firstIndex(of: "/"), !exception.contains(":") else {
            return exception
        }
        let numbers = exception[..<slash].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count < 4 else { return exception }
        let rest = Array(repeating: ".0", count: 4 - numbers.count).joined()
        return exception[..<slash] + rest + exception[slash...]
    }

    /// The proxy for an origin; `nil`: none.
    func server(for origin: Origin) -> ProxyServer? {
        guard !exceptions.contains(host: origin.host, port: origin.port) else { return nil }
        let isSimple = !origin.host.contains { $0 == "." || $0 == ":" }
        guard !(excludesSimpleNames && isSimple) else { return nil }
        return servers[origin.scheme] ?? socks
    }
}

/// Why a `connectionProxyDictionary` is invalid, without its values.
enum ProxyDictionaryError: Error, Equatable, CustomStringConvertible {
    case unknownKey(String)
    /// The value has the wrong type, or is out of range.
    case value(key: String)
    /// The key is missing, although another key requires it.
    case missing(key: String)
    /// The key requires automatic configuration, which is not supported.
    case automatic(key: String)

    /// The error as text.
    var description: String {
        switch self {
        case .unknownKey(let key): "the key \(key) is not known"
        case .value(let key): "the value of \(key) cannot be used"
        case .missing(let key): "\(key) is missing"
        case .automatic(let key): "\(key): proxies are not configured automatically"
        }
    }
}

/// The values of a `connectionProxyDictionary`, each with its key's type.
struct ProxyDictionaryValues {
    /// The supported keys.
    private static let known: Set<String> = [
        kCFNetworkProxiesHTTPEnable, kCFNetworkProxiesHTTPProxy, kCFNetworkProxiesHTTPPort,
        kCFNetworkProxiesHTTPSEnable, kCFNetworkProxiesHTTPSProxy, kCFNetworkProxiesHTTPSPort,
        kCFNetworkProxiesSOCKSEnable, kCFNetworkProxiesSOCKSProxy, kCFNetworkProxiesSOCKSPort,
        kCFNetworkProxiesExceptionsList, kCFNetworkProxiesExcludeSimpleHostnames,
        kCFNetworkProxiesProxyAutoConfigEnable, kCFNetworkProxiesProxyAutoConfigURLString,
        kCFNetworkProxiesProxyAutoDiscoveryEnable, kCFProxyUsernameKey, kCFProxyPasswordKey,
        kCFStreamPropertySOCKSVersion,
    ]
    /// The prefixes of keys for unsupported schemes, which the dictionary of a system may have.
    private static let otherSchemes = ["FTP", "Gopher", "RTSP"]

    let dictionary: [String: any Sendable]

    /// Throws where a key is unknown, or requires an unsupported feature.
    func check() throws(ProxyDictionaryError) {
        for key in dictionary.keys.sorted() where !Self.known.contains(key) {
            guard Self.otherSchemes.contains(where: { key.startsWithBytes(of: $0) }) else {
                throw .unknownKey(key)
            }
        }
        for key in [
            kCFNetworkProxiesProxyAutoConfigEnable, kCFNetworkProxiesProxyAutoDiscoveryEnable,
        ] where try isOn(key) {
            throw .automatic(key: key)
        }
    }

    /// Whether the key has a number other than 0.
    func isOn(_ key: String) throws(ProxyDictionaryError) -> Bool {
        guard let value = dictionary[key] else { return false }
        if let flag = value as? Bool { return flag }
        return try number(key) != 0
    }

    private func number(_ key: String) throws(ProxyDictionaryError) -> Int? {
        guard let value = dictionary[key] else { return nil }
        guard let integer = value as? any BinaryInteger, let number = Int(exactly: integer) else {
            throw .value(key: key)
        }
        return number
    }

    private func text(_ key: String) throws(ProxyDictionaryError) -> String? {
        guard let value = dictionary[key] else { return nil }
        guard let text = value as? String else { throw .value(key: key) }
        return text
    }

    /// An array of strings; empty where the key is missing.
    func texts(_ key: String) throws(ProxyDictionaryError) -> [String] {
        guard let value = dictionary[key] else { return [] }
        guard let texts = value as? [String] else { throw .value(key: key) }
        return texts
    }

    func socksVersion() throws(ProxyDictionaryError) -> ProxyServer.Scheme {
        switch try text(kCFStreamPropertySOCKSVersion) {
        case nil, kCFStreamSocketSOCKSVersion5: return .socks5h
        case kCFStreamSocketSOCKSVersion4: return .socks4a
        default: throw .value(key: kCFStreamPropertySOCKSVersion)
        }
    }

    /// A proxy, if it is enabled.
    func server(
        _ scheme: ProxyServer.Scheme,
        enabled: String,
        host: String,
        port: String,
        otherwise defaultPort: Int
    ) throws(ProxyDictionaryError) -> ProxyServer? {
        guard try isOn(enabled) else { return nil }
        guard let name = try text(host) else { throw .missing(key: host) }
        let number = try number(port) ?? defaultPort
        guard (1...65_535).contains(number) else { throw .value(key: port) }
        let server = ProxyServer(
            scheme: scheme,
            host: name,
            port: number,
            user: try text(kCFProxyUsernameKey),
            password: try text(kCFProxyPasswordKey).map(Secret.init)
        )
        guard let server else { throw .value(key: host) }
        return server
    }
}

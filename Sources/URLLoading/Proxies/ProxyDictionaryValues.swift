/// The values of a `connectionProxyDictionary`, each read as what its key wants.
struct ProxyDictionaryValues {
    /// The keys that are read.
    private static let known: Set<String> = [
        kCFNetworkProxiesHTTPEnable, kCFNetworkProxiesHTTPProxy, kCFNetworkProxiesHTTPPort,
        kCFNetworkProxiesHTTPSEnable, kCFNetworkProxiesHTTPSProxy, kCFNetworkProxiesHTTPSPort,
        kCFNetworkProxiesSOCKSEnable, kCFNetworkProxiesSOCKSProxy, kCFNetworkProxiesSOCKSPort,
        kCFNetworkProxiesExceptionsList, kCFNetworkProxiesExcludeSimpleHostnames,
        kCFNetworkProxiesProxyAutoConfigEnable, kCFNetworkProxiesProxyAutoConfigURLString,
        kCFNetworkProxiesProxyAutoDiscoveryEnable, kCFProxyUsernameKey, kCFProxyPasswordKey,
        kCFStreamPropertySOCKSVersion,
    ]
    /// How keys of schemes begin that no session loads: a system's own dictionary has them.
    private static let otherSchemes = ["FTP", "Gopher", "RTSP"]

    private let dictionary: [String: any Sendable]

    init(_ dictionary: [String: any Sendable]) {
        self.dictionary = dictionary
    }

    /// Throws where a key is not known, or asks for what is not done.
    func check() throws(ProxyDictionaryFlaw) {
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

    /// Whether a number is there and is not 0.
    func isOn(_ key: String) throws(ProxyDictionaryFlaw) -> Bool {
        guard let value = dictionary[key] else { return false }
        if let flag = value as? Bool { return flag }
        return try number(key) != 0
    }

    private func number(_ key: String) throws(ProxyDictionaryFlaw) -> Int? {
        guard let value = dictionary[key] else { return nil }
        guard let integer = value as? any BinaryInteger, let number = Int(exactly: integer) else {
            throw .value(key: key)
        }
        return number
    }

    private func text(_ key: String) throws(ProxyDictionaryFlaw) -> String? {
        guard let value = dictionary[key] else { return nil }
        guard let text = value as? String else { throw .value(key: key) }
        return text
    }

    /// An array of texts; empty where there is none.
    func texts(_ key: String) throws(ProxyDictionaryFlaw) -> [String] {
        guard let value = dictionary[key] else { return [] }
        guard let texts = value as? [String] else { throw .value(key: key) }
        return texts
    }

    func socksVersion() throws(ProxyDictionaryFlaw) -> ProxyServer.Scheme {
        switch try text(kCFStreamPropertySOCKSVersion) {
        case nil, kCFStreamSocketSOCKSVersion5: return .socks5h
        case kCFStreamSocketSOCKSVersion4: return .socks4a
        default: throw .value(key: kCFStreamPropertySOCKSVersion)
        }
    }

    /// A proxy, if it is switched on.
    func server(
        _ scheme: ProxyServer.Scheme,
        enabled: String,
        host: String,
        port: String,
        otherwise defaultPort: Int
    ) throws(ProxyDictionaryFlaw) -> ProxyServer? {
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

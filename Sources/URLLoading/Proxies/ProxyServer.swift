/// A proxy, parsed from its URL.
package struct ProxyServer: Sendable, Hashable {
    /// The protocol of the proxy, with libcurl's names.
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case http
        case https
        case socks4
        case socks4a
        case socks5
        /// Like `socks5`, but the proxy looks up the host's name.
        case socks5h

        /// The default port, as in libcurl.
        var defaultPort: Int { self == .https ? 443 : 1_080 }

        /// Whether the proxy is an HTTP proxy, not SOCKS.
        package var isHTTP: Bool { self == .http || self == .https }

        /// The constant of ``URLProtectionSpace``.
        var proxyType: String {
            switch self {
            case .http: NSURLProtectionSpaceHTTPProxy
            case .https: NSURLProtectionSpaceHTTPSProxy
            case .socks4, .socks4a, .socks5, .socks5h: NSURLProtectionSpaceSOCKSProxy
            }
        }
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 address without brackets.
    package let host: String
    package let port: Int
    /// Percent-decoded; `nil`: none.
    package let user: String?
    package let password: Secret?

    /// Parses `[scheme://][user[:password]@]host[:port][/]`, with the default scheme `http`; `nil`
    /// where the text is malformed, or has control characters or spaces.
    package init?(_ text: String) {
        var rest = text[...]
        var scheme = Scheme.http
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
            let behind = rest[colon...].droppingBytes(of: "://")
        {
            let name = rest[..<colon].asciiLowercased
            // In libcurl `socks` is SOCKS 4 too.
            guard let known = name == "socks" ? .socks4 : Scheme(rawValue: name) else { return nil }
            scheme = known
            rest = behind
        }
        guard !rest.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        var user: String?
        var password: String?
        // The last `@`, because a password may contain an unescaped one.
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let words = rest[..<at].split(
                byte: UInt8(ascii: ":"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            // After a slash the `@` could belong to a path, and the host would be another.
            guard !rest[..<at].utf8.contains(where: { "/?#".utf8.contains($0) }) else { return nil }
            user = words[0].percentDecoded
            password = words.count == 2 ? words[1].percentDecoded : nil
            guard user != nil, words.count < 2 || password != nil else { return nil }
            rest = rest[rest.utf8.index(after: at)...]
        }
        if rest.endsWithBytes(of: "/") { rest = Substring(rest.utf8.dropLast()) }
        guard let place = HostAndPort(rest), Self.isHost(place.host) else { return nil }
        self.scheme = scheme
        self.user = user
        self.password = password.map(Secret.init)
        host = place.host
        port = place.port ?? scheme.defaultPort
    }

    /// A proxy from its parts; `nil` where the host is malformed, or the port is out of range.
    init?(scheme: Scheme, host: String, port: Int?, user: String?, password: Secret?) {
        let port = port ?? scheme.defaultPort
        let host = HostAndPort.bare(host[...])
        guard Self.isHost(host), !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            (1...65_535).contains(port)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// The same proxy with another user.
    package func authenticated(user: String, password: Secret?) -> ProxyServer? {
        ProxyServer(scheme: scheme, host: host, port: port, user: user, password: password)
    }

    private static func isHost(_ text: String) -> Bool {
        if text.utf8.contains(UInt8(ascii: ":")) { return IPAddress(text) != nil }
        return !text.isEmpty && !text.utf8.contains { "/?#@[]%\\\"".utf8.contains($0) }
    }

    /// The URL, without user and password.
    package var url: String {
        "\(scheme.rawValue)://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)"
    }

    /// The protection space of the proxy's credential.
    func protectionSpace(realm: String?, authenticationMethod: String?) -> URLProtectionSpace {
        URLProtectionSpace(
            proxyHost: host,
            port: port,
            type: scheme.proxyType,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }
}

/// `host`, `host:port`, `[address]`, `[address]:port`, or an IPv6 address alone.
struct HostAndPort: Equatable {
    /// In lower case, without brackets, IPv6 zone and trailing dot.
    let host: String
    let port: Int?

    /// Parses the text; `nil` where brackets are unbalanced or contain no IPv6 address, or the port is
    /// not a number up to 65535.
    init?(_ text: Substring) {
        let bytes = text.utf8
        var host = text
        var port: Substring?
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[bytes.index(after: text.startIndex)..<end]
            guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            let rest = text[bytes.index(after: end)...]
            guard rest.isEmpty || rest.startsWithBytes(of: ":") else { return nil }
            port = rest.isEmpty ? nil : rest.droppingBytes(of: ":")
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            colon == bytes.lastIndex(of: UInt8(ascii: ":"))
        {
            host = text[..<colon]
            port = text[bytes.index(after: colon)...]
        }
        if let port {
            guard let number = Int(digits: port), number <= 65_535 else { return nil }
            self.port = number
        } else {
            self.port = nil
        }
        self.host = Self.bare(host)
    }

    /// A host in the form for comparison.
    static func bare(_ host: Substring) -> String {
        var host = Substring(host.withoutBrackets)
        let bytes = host.utf8
        // Only an address has a zone: in a name, `%` begins an escape.
        if bytes.contains(UInt8(ascii: ":")), let zone = bytes.firstIndex(of: UInt8(ascii: "%")) {
            host = host[..<zone]
        }
        if host.utf8.count > 1, host.endsWithBytes(of: ".") {
            host = Substring(host.utf8.dropLast())
        }
        return host.asciiLowercased
    }
}

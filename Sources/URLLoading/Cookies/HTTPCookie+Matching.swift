import FoundationEssentials

// Decides which requests send a cookie; the section numbers are those of RFC 6265.
extension HTTPCookie {
    /// Whether the cookie is for all hosts of its domain.
    var isForSubdomains: Bool { domain.utf8.first == UInt8(ascii: ".") }

    /// The domain without its leading dot.
    var host: Substring { Substring(domain.utf8.dropFirst(isForSubdomains ? 1 : 0)) }

    /// Whether the cookie has expired.
    func hasExpired(_ now: Date) -> Bool {
        expiresDate.map { $0 <= now } ?? false
    }

    /// Whether a request sends the cookie (§5.4).
    func matches(_ place: CookiePlace) -> Bool {
        guard !isSecure || place.isSecure else { return false }
        let isHost =
            isForSubdomains
            ? Self.isHost(place.host, within: host) : place.host.hasBytes(of: domain)
        return isHost && CookieRules.isPath(place.path, within: path)
    }

    /// Whether the cookie is for all hosts of a public suffix (§5.3, step 5).
    ///
    /// A domain that ends in a dot counts as one, because no suffix list contains it.
    var isForPublicSuffix: Bool {
        guard isForSubdomains else { return false }
        return host.utf8.last == UInt8(ascii: ".")
            || PublicSuffixes.shared?.contains(String(host)) == true
    }

    /// Whether a host is a domain, or one of its hosts (§5.1.3); an address has no subdomains.
    static func isHost(_ host: String, within domain: Substring) -> Bool {
        CookieRules.isHost(host, within: domain, isAddress: IPAddress(host) != nil)
    }
}

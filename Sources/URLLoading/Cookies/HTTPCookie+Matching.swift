import FoundationEssentials

// Which requests a cookie is sent with: RFC 6265bis, with the section numbers of
// [RFC 6265 §5](https://www.rfc-editor.org/rfc/rfc6265#section-5).
extension HTTPCookie {
    /// Whether it is for all hosts of its domain, and not for one host.
    var isForSubdomains: Bool { domain.utf8.first == UInt8(ascii: ".") }

    /// The domain without its dot.
    var host: Substring { Substring(domain.utf8.dropFirst(isForSubdomains ? 1 : 0)) }

    /// Whether it has ended.
    func hasExpired(_ now: Date) -> Bool {
        expiresDate.map { $0 <= now } ?? false
    }

    /// Whether it goes with a request (§5.4).
    func matches(_ place: CookiePlace) -> Bool {
        guard !isSecure || place.isSecure else { return false }
        let isHost =
            isForSubdomains
            ? Self.isHost(place.host, within: host) : place.host.hasBytes(of: domain)
        return isHost && CookieRules.isPath(place.path, within: path)
    }

    /// Whether it is for all hosts of a public suffix (§5.3, step 5).
    ///
    /// A domain that ends in a dot counts too, since no list of suffixes has it.
    var isForPublicSuffix: Bool {
        guard isForSubdomains else { return false }
        return host.utf8.last == UInt8(ascii: ".")
            || PublicSuffixes.shared?.contains(String(host)) == true
    }

    /// Whether a host is a domain, or one of its hosts (§5.1.3); an address has none.
    static func isHost(_ host: String, within domain: Substring) -> Bool {
        CookieRules.isHost(host, within: domain, isAddress: IPAddress(host) != nil)
    }
}

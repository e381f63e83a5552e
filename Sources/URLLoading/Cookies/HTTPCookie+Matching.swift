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

/// The part of a request's URL that cookies are matched with.
struct CookiePlace {
    /// In lower case, without brackets; an address as libcurl writes it.
    let host: String
    /// Percent-encoded, without query.
    let path: String
    /// Whether the connection counts as secure: TLS, or this machine.
    let isSecure: Bool

    /// The place of a URL; `nil` where the URL is not HTTP.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        let name = CanonicalHost.name(origin.host).withoutBrackets
        let address = IPAddress(host: name)
        // We store an IPv4-mapped address as IPv4, and libcurl does not.
        let isMapped = address?.bytes.count == 4 && name.utf8.contains(UInt8(ascii: ":"))
        host = isMapped ? name : address?.text ?? name
        let path = url.standardized.path(percentEncoded: true)
        self.path = path.startsWithBytes(of: "/") ? path : "/"
        // The same rule as in libcurl, which parses the cookies of servers.
        isSecure =
            origin.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}

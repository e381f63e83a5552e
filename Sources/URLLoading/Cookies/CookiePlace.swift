import FoundationEssentials

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

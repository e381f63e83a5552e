import FoundationEssentials

/// The part of a request's URL that cookies are matched with.
struct CookiePlace {
    /// In lower case, without brackets.
    let host: String
    /// Percent-encoded, without query.
    let path: String
    /// Whether the connection counts as secure: TLS, or this machine.
    let isSecure: Bool

    /// The place of a URL; `nil` where the URL is not HTTP.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = CanonicalHost.name(origin.host).withoutBrackets
        let path = url.standardized.path(percentEncoded: true)
        self.path = path.startsWithBytes(of: "/") ? path : "/"
        // The same rule as in libcurl, which parses the cookies of servers.
        isSecure =
            origin.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}

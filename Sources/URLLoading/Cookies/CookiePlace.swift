import FoundationEssentials

/// The part of a request's URL that cookies are matched with.
struct CookiePlace {
    /// In lower case, without brackets.
    let host: String
    /// Percent-encoded, without query.
    let path: String
    /// Whether the connection is private: TLS, or this machine.
    let isSecure: Bool

    /// The place of a URL; `nil` unless it is one of HTTP's with a host.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = CanonicalHost.name(origin.host).unbracketed
        let path = url.standardized.path(percentEncoded: true)
        self.path = path.startsWithBytes(of: "/") ? path : "/"
        // The same rule as libcurl, which reads the cookies of these servers.
        isSecure =
            origin.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}

import FoundationEssentials

/// Where a request goes, as far as cookies ask.
struct CookiePlace {
    /// In lower case, without brackets.
    let host: String
    /// Percent-encoded, without query.
    let path: String
    /// Whether the way is private: it is TLS, or this machine itself.
    let isSecure: Bool

    /// The place of a URL; `nil` unless it is one of HTTP's with a host.
    init?(_ url: URL) {
        guard let origin = Origin(url) else { return nil }
        host = CanonicalHost.name(origin.host).unbracketed
        let path = url.standardized.path(percentEncoded: true)
        self.path = path.startsWithBytes(of: "/") ? path : "/"
        // As libcurl has it, which reads what these servers set.
        isSecure =
            origin.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}

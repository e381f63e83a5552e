/// What an answer is stored under: scheme, host, port, path and query of a URL, and whose it is.
///
/// Fragment, user and password of the URL have no part in it. All that is stored answers GET
/// (and HEAD), so the method has none either.
struct CacheKey: Sendable, Hashable {
    /// The URL in its normal form.
    let url: String
    /// A digest of the credential that the request had; `nil` where it had none.
    ///
    /// Beyond RFC 9111, where a private cache may serve one user's answers to another: here both
    /// would be given on the command line.
    let credential: String?

    /// Reads an absolute URL; `nil` unless it is HTTP's or HTTPS's.
    init?(_ url: String, credential: String? = nil) {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = url[colon.upperBound...].prefix { $0 != "#" }
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: "@") { authority = authority[at...].dropFirst() }
        var host = authority.lowercased()
        let standard = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(standard) { host.removeLast(standard.count) }
        if host.hasSuffix(":") { host.removeLast() }
        guard !host.isEmpty else { return nil }
        let path = rest[end...]
        self.url = "\(scheme)://\(host)\(path.hasPrefix("/") ? "" : "/")\(path)"
        self.credential = credential
    }
}

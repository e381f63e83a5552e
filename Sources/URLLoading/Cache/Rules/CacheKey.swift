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
        let bytes = url.utf8
        let scheme = Substring(bytes.prefix { $0 != UInt8(ascii: ":") }).asciiLowercased
        guard scheme == "http" || scheme == "https",
            bytes.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
        else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count + 3).prefix { $0 != UInt8(ascii: "#") }
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            authority = authority[at...].dropFirst()
        }
        for standard in [scheme == "https" ? ":443" : ":80", ":"]
        where Substring(authority).endsWithBytes(of: standard) {
            authority = authority.dropLast(standard.utf8.count)
        }
        guard !authority.isEmpty else { return nil }
        let path = Substring(rest[end...])
        let slash = path.startsWithBytes(of: "/") ? "" : "/"
        self.url = "\(scheme)://\(Substring(authority).asciiLowercased)\(slash)\(path)"
        self.credential = credential
    }

    static func == (one: CacheKey, other: CacheKey) -> Bool {
        one.url.hasBytes(of: other.url) && one.credential == other.credential
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(url))
        hasher.combine(credential)
    }
}

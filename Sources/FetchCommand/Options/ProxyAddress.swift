/// A proxy: `--proxy`.
struct ProxyAddress: Equatable, Sendable {
    /// How one talks to it: libcurl's words.
    enum Scheme: String, CaseIterable, Sendable {
        case http
        case https
        case socks4
        case socks4a
        case socks5
        case socks5h
    }

    let scheme: Scheme
    /// A name or an address; IPv6 in brackets.
    let host: String
    /// Nil: 443 for https, and 1080 for all others, as libcurl has it.
    let port: Int?
    let credential: UserPassword?

    /// `http://proxy.example:3128`, without the credential.
    var url: String {
        "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")"
    }

    /// Reads `[scheme://][user:password@]host[:port][/]`; without a scheme, http.
    init(_ value: FlagValue) throws(UsageError) {
        var rest = value.text[...]
        var scheme = Scheme.http
        if let slashes = URLScanner.schemeEnd(of: rest) {
            guard let known = Scheme(rawValue: rest[..<slashes.lowerBound].lowercased()) else {
                throw .invalidURL(
                    Redaction.url(value.text),
                    reason: "\(value.flag): unknown kind of proxy",
                    hint: "one of \(Scheme.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            scheme = known
            rest = rest[slashes.upperBound...]
        }
        do throws(URLScanner.Flaw) {
            let (authority, path) = try URLScanner.authority(of: rest)
            guard path.isEmpty || path == "/" else { throw .path }
            host = authority.host
            port = authority.port
            credential = authority.credential
        } catch {
            throw .invalidURL(
                Redaction.url(value.text),
                reason: "\(value.flag): \(error.reason)",
                hint: nil
            )
        }
        self.scheme = scheme
    }
}

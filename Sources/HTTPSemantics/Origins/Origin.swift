public import FoundationEssentials

/// Scheme, host and port: what a credential belongs to
/// ([RFC 6454 §4](https://www.rfc-editor.org/rfc/rfc6454#section-4)).
public struct Origin: Sendable, Hashable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case.
    public let host: String
    /// The port, the scheme's own where the URL names none.
    public let port: Int

    /// The origin of a URL that has been read.
    public init(_ plain: PlainURL) {
        (scheme, host, port) = (plain.scheme, plain.host, plain.port)
    }

    /// The origin of a URL; `nil` unless it is an HTTP or HTTPS URL with a host.
    public init?(_ url: URL) {
        if let plain = PlainURL(url.absoluteString) {
            (scheme, host, port) = (plain.scheme, plain.host, plain.port)
            return
        }
        guard let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            url.hasUsablePort
        else { return nil }
        switch scheme {
        case "http": port = url.port ?? 80
        case "https": port = url.port ?? 443
        default: return nil
        }
        self.scheme = scheme
        self.host = host.asciiLowercased
    }
}

extension URL {
    /// Whether the URL names no port, or one that there is.
    ///
    /// It is read from the text: Foundation gives none for one that no number can say, such as one of
    /// 20 digits, and the URL would count for the scheme's own port.
    package var hasUsablePort: Bool {
        let text = absoluteString.utf8
        let rest = text.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        var place = rest.prefix { !"/?#".utf8.contains($0) }
        if let at = place.lastIndex(of: UInt8(ascii: "@")) { place = place[at...].dropFirst() }
        if let bracket = place.lastIndex(of: UInt8(ascii: "]")) { place = place[bracket...] }
        guard let colon = place.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let digits = place[colon...].dropFirst()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return digits.isEmpty || (Int(Substring(digits)) ?? .max) <= 65_535
    }
}

/// The forms in which a request names what it is for
/// ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
public struct HTTPTarget: Sendable, Hashable {
    /// Path and query, as a server is asked.
    public let originForm: String
    /// Host and port, as a proxy is asked for a tunnel.
    public let authorityForm: String

    /// Reads an absolute URL without user, password and fragment.
    public init(_ url: String) {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = url.utf8.dropFirst(scheme.count + 3)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let path = Substring(rest[end...])
        originForm = path.startsWithBytes(of: "/") ? String(path) : "/" + path
        let authority = rest[..<end]
        let isAddress = authority.first == UInt8(ascii: "[")
        let hasPort =
            authority.last.map { (0x30...0x39).contains($0) } == true
            && authority.drop { $0 != UInt8(ascii: "]") && isAddress }.contains(UInt8(ascii: ":"))
        let isSecure = Substring(scheme).asciiLowercased == "https"
        authorityForm =
            hasPort
            ? String(Substring(authority)) : "\(Substring(authority)):\(isSecure ? 443 : 80)"
    }
}

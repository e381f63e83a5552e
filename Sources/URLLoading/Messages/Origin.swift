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

    package init(_ plain: PlainURL) {
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

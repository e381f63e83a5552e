import FoundationEssentials
import URLLoading

/// A URL that can be fetched, validated.
///
/// An http or https URL has a host, and no character that could break a request line. Otherwise it
/// is a `file:` or `data:` URL.
struct WebAddress: Equatable, Sendable {
    /// `http`, `https`, `file` or `data`.
    let scheme: String
    /// As written, IPv6 in brackets; empty for `file:` and `data:`.
    let host: String
    let port: Int?
    /// Path, query and fragment in ASCII; other characters are percent-encoded.
    private(set) var target: String
    /// The user and password before an `@`.
    let credential: UserPassword?
    /// The URL without the credential, in a form that `URL(string:)` does not change.
    private(set) var text: String
    /// The origin to which a credential for the URL belongs; `nil` for local URLs.
    let origin: Origin?

    /// The URL for messages, without secrets.
    var redacted: String {
        // Data may be long, and does not help the reader.
        if scheme == "data", target.utf8.count > 60 { return "data:\(target.prefix(48))…" }
        // A query may contain another URL with a user and a password.
        let shown = UserInfo.redacted(in: text)
        guard credential != nil else { return shown }
        let plain = "\(scheme)://"
        return plain + Redaction.placeholder + "@" + shown.dropFirst(plain.count)
    }

    /// The path, without query and fragment; may be empty.
    var path: Substring {
        Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// Parses an argument of the command line.
    ///
    /// Without a scheme, the URL gets https, or http if the host is this machine. Characters that
    /// no URL may contain, such as spaces and letters beyond ASCII, are percent-encoded. Everything
    /// else is kept, including escapes and a fragment.
    init(_ argument: String) throws(UsageError) {
        let text = argument[...]
        guard text.utf8.first != UInt8(ascii: "-") else {
            throw .invalidURL(
                Redaction.url(argument),
                reason: "looks like an option, not like a URL"
            )
        }
        if let plain = PlainURL(argument), HostName.isValid(plain.host),
            !plain.target.utf8.contains(UInt8(ascii: "%"))
        {
            (scheme, host, port) = (plain.scheme, plain.host, plain.explicitPort)
            target = plain.target
            self.text = argument
            credential = nil
            origin = Origin(plain)
            return
        }
        if let (scheme, target) = try Self.local(argument) {
            self.scheme = scheme
            self.target = target
            (host, port, credential) = ("", nil, nil)
            self.text = Self.text(scheme, "", nil, target)
            origin = nil
            return
        }
        let schemeEnd = URLScanner.schemeEnd(of: text)
        let scheme = schemeEnd.map { text[..<$0.lowerBound].lowercased() }
        guard scheme == nil || scheme == "http" || scheme == "https" else {
            throw .invalidURL(
                Redaction.url(argument),
                reason: "only http, https, file and data can be fetched"
            )
        }
        do throws(URLScanner.ValidationError) {
            let (authority, rest) = try URLScanner.authority(
                of: schemeEnd.map { text[$0.upperBound...] } ?? text
            )
            guard scheme != nil || !Self.isBrokenScheme(authority) else { throw .noHost }
            guard CanonicalHost.known(authority.host) != nil else { throw .host }
            host = authority.host
            port = authority.port
            credential = authority.credential
            target = URLReference.encodedTarget(rest)
        } catch {
            throw .invalidURL(
                Redaction.url(argument),
                reason: error.rawValue,
                hint: Self.hint(for: error, scheme: scheme)
            )
        }
        self.scheme = scheme ?? (HostName.isLoopback(host) ? "http" : "https")
        self.text = Self.text(self.scheme, host, port, target)
        guard let url = URL(string: self.text) else {
            throw .invalidURL(Redaction.url(argument), reason: "is not a URL")
        }
        origin = Origin(url)
    }

    private static func text(
        _ scheme: String,
        _ host: String,
        _ port: Int?,
        _ target: String
    ) -> String {
        if scheme == "data" { return "data:\(target)" }
        return "\(scheme)://\(encodedHost(host))\(port.map { ":\($0)" } ?? "")\(target)"
    }

    /// The URL with one more segment at the end of its path, before query and fragment.
    func appending(segment: String) -> WebAddress {
        var longer = self
        let path = path.isEmpty ? "/" : path
        longer.target =
            path + PercentCoding.encodeSegment(segment) + target[self.path.endIndex...]
        longer.text = Self.text(scheme, host, port, longer.target)
        return longer
    }

    /// The URL with an addition to its query.
    func appending(query: String) -> WebAddress {
        guard !query.isEmpty else { return self }
        var longer = self
        let parts = target[...].split(atFirst: UInt8(ascii: "#"))
        let before = parts.map { $0.before } ?? target[...]
        let begin = path.isEmpty ? "/" + before : String(before)
        let joint =
            begin.utf8.last == UInt8(ascii: "?")
            ? "" : begin.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        longer.target =
            begin + joint + URLReference.encodeStray(query[...])
            + (parts.map { "#" + $0.after } ?? "")
        longer.text = Self.text(scheme, host, port, longer.target)
        return longer
    }

    /// The host name in its ASCII form (IDNA), if it has letters beyond ASCII.
    private static func encodedHost(_ host: String) -> String {
        host.utf8.allSatisfy { $0 < 0x80 } ? host : CanonicalHost.name(host)
    }

    /// Whether the user wrote `http:/host` or `https:host`; no host has such a name.
    private static func isBrokenScheme(_ authority: URLScanner.Authority) -> Bool {
        authority.port == nil && ["http", "https"].contains(authority.host.lowercased())
    }

    private static func hint(for error: URLScanner.ValidationError, scheme: String?) -> String? {
        switch error {
        case .port where scheme == nil, .noHost where scheme == nil:
            "a URL is http://HOST/PATH or https://HOST/PATH"
        default: nil
        }
    }
}

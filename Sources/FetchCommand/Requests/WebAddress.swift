import FoundationEssentials
import URLLoading

/// A URL that can be fetched, validated: http or https with a host, `file:` or `data:`.
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
            let parts = try URLScanner.parts(of: schemeEnd.map { text[$0.upperBound...] } ?? text)
            // The user wrote `http:/host` or `https:host`; no host has such a name.
            let isBroken = parts.port == nil && ["http", "https"].contains(parts.host.lowercased())
            if scheme == nil, isBroken { throw .noHost }
            guard CanonicalHost.known(parts.host) != nil else { throw .host }
            (host, port, credential) = (parts.host, parts.port, parts.credential)
            target = URLReference.encodedTarget(parts.rest)
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

    func appending(segment: String) -> WebAddress {
        var longer = self
        let path = path.isEmpty ? "/" : path
        longer.target = path + PercentCoding.encodeSegment(segment) + target[self.path.endIndex...]
        longer.text = Self.text(scheme, host, port, longer.target)
        return longer
    }

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

    private static func hint(for error: URLScanner.ValidationError, scheme: String?) -> String? {
        switch error {
        case .port where scheme == nil, .noHost where scheme == nil:
            "a URL is http://HOST/PATH or https://HOST/PATH"
        default: nil
        }
    }
}

// URLs of local files and data.
extension WebAddress {
    /// Whether the URL needs no network.
    var isLocal: Bool { scheme == "file" || scheme == "data" }

    /// The path of a `file:` URL; `nil` for other URLs, or if the path is not UTF-8.
    var filePath: String? { scheme == "file" ? PercentCoding.decode(path) : nil }

    /// Parses `file:` and `data:` URLs; `nil` for other texts.
    ///
    /// `file:8080` and `data:8080/x` are hosts with ports, without a scheme. The target follows the
    /// scheme and an empty host. Throws if the text begins like such a URL, but is malformed.
    static func local(_ argument: String) throws(UsageError) -> (scheme: String, target: String)? {
        let bytes = argument.utf8.prefix(5)
        guard bytes.last == UInt8(ascii: ":") else { return nil }
        let rest = argument[bytes.endIndex...]
        switch String(Substring(bytes)).asciiLowercased {
        case "file:" where rest.utf8.first == UInt8(ascii: "/"):
            return ("file", try file(rest, argument))
        case "data:" where rest.utf8.contains(UInt8(ascii: ",")) && !isPort(rest):
            try check(argument)
            return ("data", URLReference.encodeStray(rest))
        default: return nil
        }
    }

    private static func file(_ rest: Substring, _ argument: String) throws(UsageError) -> String {
        try check(argument)
        var path = rest
        if rest.startsWithBytes(of: "//") {
            let authority = rest.utf8.dropFirst(2)
            let host = Substring(authority.prefix { $0 != UInt8(ascii: "/") })
            guard host.isEmpty || host.lowercased() == "localhost" else {
                throw invalid(
                    argument,
                    "a file URL must name this machine, or no host",
                    "file:///PATH"
                )
            }
            path = Substring(authority.dropFirst(host.utf8.count))
        }
        let target = URLReference.encodedTarget(path)
        let named = target.prefix { $0 != "?" && $0 != "#" }
        guard named.first == "/", PercentCoding.decode(named)?.utf8.contains(0) != true else {
            throw invalid(argument, "a file URL has a path from the root", "file:///PATH")
        }
        return target
    }

    /// Whether the text is digits, followed by a path or by nothing.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.prefix(while: \.isDigit)
        guard !digits.isEmpty else { return false }
        return text.utf8.dropFirst(digits.count).first.map { "/?#".utf8.contains($0) } ?? true
    }

    private static func check(_ argument: String) throws(UsageError) {
        guard !argument.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw invalid(argument, URLScanner.ValidationError.control.rawValue, nil)
        }
    }

    private static func invalid(_ argument: String, _ reason: String, _ hint: String?) -> UsageError
    {
        .invalidURL(
            Redaction.url(String(argument.prefix(200))),
            reason: reason,
            hint: hint.map { "write it as \($0)" }
        )
    }
}

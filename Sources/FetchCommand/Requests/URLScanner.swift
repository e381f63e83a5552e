import URLLoading

/// Parses a URL's text: `URL` accepts texts that must be refused here, and gives no reasons.
enum URLScanner {
    /// A reason why a URL is invalid, as text, which quotes nothing from the URL.
    enum ValidationError: String, Error {
        case control = "a URL cannot contain control characters or line breaks"
        case backslash = "write a backslash before the path as %5C"
        case noHost = "the URL has no host"
        case host = "the host is not a name or an address"
        case port = "the port is not a number up to 65535"
        case credential = "the user or password before the @ has characters that cannot be sent"
        case path = "no path can follow the host"
    }

    /// The part of a URL between `//` and the path, and the rest: path, query and fragment.
    typealias Parts = (credential: UserPassword?, host: String, port: Int?, rest: Substring)

    /// The range of `://` after a scheme (RFC 3986, 3.1), or `nil`.
    static func schemeEnd(of text: Substring) -> Range<Substring.Index>? {
        guard let (scheme, rest) = text.split(atFirst: UInt8(ascii: ":")), isScheme(scheme),
            rest.utf8.starts(with: "//".utf8)
        else { return nil }
        return scheme.endIndex..<rest.utf8.index(rest.startIndex, offsetBy: 2)
    }

    /// Parses a URL behind its scheme.
    static func parts(of text: Substring) throws(ValidationError) -> Parts {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { throw .control }
        let end = text.utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        var hostPort = text[..<end]
        // Browsers treat `\` as `/`, so `http://good\@evil/` would have two meanings.
        guard !hostPort.utf8.contains(UInt8(ascii: "\\")) else { throw .backslash }
        var credential: UserPassword?
        if let (userinfo, after) = hostPort.split(atLast: UInt8(ascii: "@")) {
            credential = try Self.credential(userinfo)
            hostPort = after
        }
        guard !hostPort.isEmpty else { throw .noHost }
        let (host, port) = try Self.hostPort(hostPort)
        return (credential, host, port, text[end...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    /// Splits `host:port`; an empty port means none (RFC 3986, 3.2.3).
    private static func hostPort(_ text: Substring) throws(ValidationError) -> (String, Int?) {
        let bracket = text.utf8.first == UInt8(ascii: "[") ? text.utf8.firstIndex(of: 0x5d) : nil
        let hostEnd =
            text[(bracket ?? text.startIndex)...].utf8.firstIndex(of: UInt8(ascii: ":"))
            ?? text.endIndex
        let host = String(text[..<hostEnd])
        guard !host.isEmpty else { throw .noHost }
        guard HostName.isValid(host) else { throw .host }
        let digits = text[hostEnd...].withoutFirstByte
        guard !digits.isEmpty else { return (host, nil) }
        guard let port = Int(digits: digits), port <= 65_535 else { throw .port }
        return (host, port)
    }

    private static func credential(_ text: Substring) throws(ValidationError) -> UserPassword? {
        guard !text.isEmpty else { return nil }
        guard let (user, password) = text.split(atFirst: UInt8(ascii: ":")) else {
            return UserPassword(user: try decoded(text), password: nil)
        }
        return UserPassword(user: try decoded(user), password: try decoded(password))
    }

    private static func decoded(_ text: Substring) throws(ValidationError) -> String {
        guard let decoded = PercentCoding.decode(text), HeaderText.isClean(decoded) else {
            throw .credential
        }
        return decoded
    }
}

/// A user and a password from a URL, percent-decoded.
struct UserPassword: Equatable, Sendable {
    let user: String
    /// `nil` if the URL has only a user.
    let password: String?
}

extension UserPassword: CustomStringConvertible {
    /// Shows neither the user nor the password.
    var description: String { Redaction.placeholder }
}

extension Substring {
    /// The text before and after the first such byte; `nil` if there is none.
    ///
    /// The search compares bytes: a `/` with a combining accent after it is another `Character` in
    /// Swift, which could hide a host.
    func split(atFirst byte: UInt8) -> (before: Substring, after: Substring)? {
        guard let place = utf8.firstIndex(of: byte) else { return nil }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The text before and after the last such byte; `nil` if there is none.
    func split(atLast byte: UInt8) -> (before: Substring, after: Substring)? {
        guard let place = utf8.lastIndex(of: byte) else { return nil }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The text without its first byte, which must be ASCII.
    var withoutFirstByte: Substring { Substring(utf8.dropFirst()) }
}

enum PercentCoding {
    /// The percent-decoded text, or `nil` if it is not UTF-8; a stray percent sign is literal.
    static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(validating: text.utf8.percentDecoded, as: UTF8.self)
    }

    /// The text as one path segment: every byte that is not unreserved (RFC 3986, 2.3) is encoded.
    static func encodeSegment(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            URLReference.append(byte, to: &encoded, asIs: isUnreserved(byte))
        }
        return encoded
    }

    /// Bytes in the encoding of forms and queries, where a space becomes a plus sign.
    static func encodeForm(_ bytes: some Sequence<UInt8>) -> String {
        var encoded = ""
        for byte in bytes {
            let isBlank = byte == UInt8(ascii: " ")
            URLReference.append(
                isBlank ? UInt8(ascii: "+") : byte,
                to: &encoded,
                asIs: isBlank || isUnreserved(byte)
            )
        }
        return encoded
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~".utf8.contains(byte)
    }
}

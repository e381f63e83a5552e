public import FoundationEssentials

/// The rules for names and values of cookies, and for the hosts and paths that receive them.
///
/// They are those of RFC 6265bis, with the section numbers of [RFC 6265
/// §5](https://www.rfc-editor.org/rfc/rfc6265#section-5).
public enum CookieRules {
    /// Whether a host is a domain, or one of the domain's hosts (§5.1.3); an IP address has no domain.
    ///
    /// - Parameters:
    ///   - host: in lower case.
    ///   - domain: in lower case, without a dot before it.
    ///   - isAddress: whether the host is an IP address.
    /// - Returns: whether it is.
    public static func isHost(
        _ host: String,
        within domain: Substring,
        isAddress: @autoclosure () -> Bool
    ) -> Bool {
        guard host.endsWithBytes(of: domain) else { return false }
        let below = host.utf8.dropLast(domain.utf8.count)
        return below.isEmpty || (below.last == UInt8(ascii: ".") && !isAddress())
    }

    /// Whether a path equals another one, or is below it (§5.1.4).
    public static func isPath(_ path: String, within other: String) -> Bool {
        guard let rest = path.droppingBytes(of: other) else { return false }
        return rest.isEmpty || other.utf8.last == UInt8(ascii: "/") || rest.startsWithBytes(of: "/")
    }

    /// The default path of a cookie: the folder of the request's path, without its last slash ([RFC 6265
    /// §5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4)).
    public static func defaultPath(_ path: String) -> String {
        let last = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex
        return last == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<last]))
    }

    /// Whether a text is valid as a name in a field and in a line of a file.
    public static func isName(_ text: String) -> Bool {
        isValue(text) && !text.isEmpty && !text.utf8.contains(UInt8(ascii: "="))
            && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    /// Whether a text is valid as a value in a field and in a line of a file.
    public static func isValue(_ text: String) -> Bool {
        !HTTPSyntax.hasControls(text) && !text.utf8.contains(UInt8(ascii: ";"))
    }

    /// Whether a text is valid as a domain, with or without a dot before it.
    public static func isDomain(_ text: String) -> Bool {
        !text.isEmpty && text != "."
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/?#;,@\\".utf8.contains($0) }
    }
}

/// One parsed value of `Set-Cookie`.
public struct SetCookieField: Sendable, Hashable {
    /// The name; empty if the text has no `=`.
    public private(set) var name = ""
    /// The value.
    public private(set) var value = ""
    /// The attributes by their names in lower case; of several with one name, the last counts.
    public private(set) var attributes: [String: String] = [:]

    /// Splits a text that contains several values.
    ///
    /// A comma separates two values if a name and `=` follow it, which no date contains.
    public static func split(_ text: String) -> [Substring] {
        var fields: [Substring] = []
        var start = text.utf8.startIndex
        for comma in text.utf8.indices where text.utf8[comma] == UInt8(ascii: ",") {
            let next = text.utf8.index(after: comma)
            let rest = text.utf8[next...].drop(while: \.isBlank)
            let name = rest.prefix { HTTPSyntax.isTokenByte($0) }
            guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: "=") else {
                continue
            }
            fields.append(text[start..<comma])
            start = next
        }
        return fields + [text[start...]]
    }

    /// Parses one value.
    public init(_ text: Substring) {
        for (number, part) in text.utf8.split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        ).enumerated() {
            let key = part.prefix { $0 != UInt8(ascii: "=") }
            let rest = part.dropFirst(key.count + 1)
            let (left, right) = (Self.text(key), Self.text(rest))
            if number > 0 {
                let attribute = left.asciiLowercased
                // RFC 6265 §5.2.2: a `Max-Age` that is no number is ignored.
                if attribute == "max-age", !Self.isAge(right) { continue }
                attributes[attribute] = right
            } else if key.count < part.count {
                (name, value) = (left, right)
            }
        }
    }

    /// The time when the cookie expires; a time in the past, or a `Max-Age` below one, removes the cookie.
    public func end(_ now: Date, longestLife: TimeInterval) -> Date? {
        if let age = attributes["max-age"] {
            guard age.utf8.first != UInt8(ascii: "-") else { return .distantPast }
            let seconds = Int(age) ?? .max
            guard seconds > 0 else { return .distantPast }
            return now.addingTimeInterval(min(TimeInterval(seconds), longestLife))
        }
        return attributes["expires"].flatMap { CookieDate.seconds($0) }
            .map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }

    private static func isAge(_ text: String) -> Bool {
        Substring(text.utf8.dropFirst(text.utf8.first == UInt8(ascii: "-") ? 1 : 0)).isDigits
    }

    private static func text(_ bytes: Substring.UTF8View) -> String {
        String(Substring(bytes.trimming(\.isBlank)))
    }
}

/// A parsed `Content-Type` ([RFC 9110 §8.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1)).
public struct MediaType: Sendable, Hashable {
    /// `type/subtype` in lower case; `nil` where it is not of that form.
    public let essence: String?
    /// The `charset` parameter in lower case, as Foundation gives it.
    public let charset: String?

    /// Reads a field's value.
    public init(_ text: String) {
        let parts = text.split(byte: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { HTTPSyntax.trimmed($0) }
        let type = parts.first?.asciiLowercased ?? ""
        essence = type.split(byte: UInt8(ascii: "/")).count == 2 ? type : nil
        charset =
            parts.dropFirst().lazy
            .map { $0.split(byte: UInt8(ascii: "="), maxSplits: 1).map { HTTPSyntax.trimmed($0) } }
            .first { $0.count == 2 && $0[0].asciiLowercased == "charset" }
            .map { $0[1].asciiLowercased.unicodeScalars }
            .map { scalars in String(String.UnicodeScalarView(scalars.filter { $0 != "\"" })) }
    }
}

extension MediaType {
    /// A parameter's value in a `Content-Type`, quoted or not, its name in any case; `nil` where it
    /// has none by the name ([RFC 9110 §5.6.6](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6)).
    public static func parameter(_ name: String, of text: String) -> String? {
        var rest = text.utf8.drop { $0 != UInt8(ascii: ";") }
        while rest.popFirst() != nil {
            rest = rest.drop(while: isSpace)
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(key.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: isSpace)
            let value = value(&rest)
            if HTTPHeaderFields.areSame(trimmed(key), name) { return value }
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        }
        return nil
    }

    /// Takes a token or a quoted string off the front.
    private static func value(_ rest: inout Substring.UTF8View) -> String {
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(token.count)
            return trimmed(token)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while var byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { byte = escaped }
            value.append(byte)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        var text = text.drop(while: isSpace)
        while text.last.map(isSpace) == true { text.removeLast() }
        return String(Substring(text))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

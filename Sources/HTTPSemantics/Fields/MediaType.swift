/// Parses a `Content-Type` ([RFC 9110 §8.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1)).
public struct MediaType: Sendable, Hashable {
    /// The `type/subtype` in lower case; `nil` if the value does not have that form.
    public let essence: String?
    /// The `charset` parameter in lower case, as Foundation returns it.
    public let charset: String?

    /// Parses a field's value.
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
    /// The value of a parameter, quoted or not, its name in any case; `nil` if there is none ([RFC 9110
    /// §5.6.6](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6)).
    public static func parameter(_ name: String, of text: String) -> String? {
        var scanner = FieldScanner(text)
        scanner.skip { $0 != UInt8(ascii: ";") }
        while scanner.take(";") {
            let key = scanner.take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            guard scanner.take("=") else { continue }
            scanner.skipBlanks()
            // We accept a quoted string without an end.
            let value =
                scanner.peek == UInt8(ascii: "\"")
                ? scanner.takeQuoted().content
                : String(HTTPSyntax.trimmed(scanner.take { $0 != UInt8(ascii: ";") }))
            if HTTPHeaderFields.areSame(String(HTTPSyntax.trimmed(key)), name) { return value }
            scanner.skip { $0 != UInt8(ascii: ";") }
        }
        return nil
    }
}

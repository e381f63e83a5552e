/// The basic rules of HTTP's grammar for credentials and challenges ([RFC 9110
/// §5.6](https://www.rfc-editor.org/rfc/rfc9110#section-5.6)).
public enum HTTPSyntax {
    /// Whether a byte is a `tchar`.
    public static func isTokenByte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: byte.isAlphanumeric
        }
    }

    /// Whether a text is a `token`, like methods and names of fields.
    @inlinable
    public static func isToken(_ text: some StringProtocol) -> Bool {
        // Without @inlinable, a caller in another module would run the unspecialized loop.
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a byte may occur in a `token68`, except for the `=` at its end (§11.2).
    public static func isToken68Byte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "-", ".", "_", "~", "+", "/": true
        default: byte.isAlphanumeric
        }
    }

    /// Whether a byte is a control character, which no field's value may contain; a tab is not.
    public static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7F
    }

    /// Removes the spaces and tabs around a text.
    public static func trimmed(_ text: some StringProtocol) -> Substring {
        Substring(Substring(text).utf8.trimming(\.isBlank))
    }

    /// Whether a text contains a control character; here a tab is one.
    public static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { isControl($0) || $0 == 0x09 }
    }

    /// Formats a text as a `quoted-string`; it must not contain control characters.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// Formats a text as an `ext-value` in UTF-8 ([RFC 8187
    /// §3.2.1](https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1)).
    public static func extended(_ text: String) -> String {
        var extended = "UTF-8''"
        for byte in text.utf8 {
            let isPlain = byte.isAlphanumeric || "!#$&+-.^_`|~".utf8.contains(byte)
            URLReference.append(byte, to: &extended, asIs: isPlain)
        }
        return extended
    }
}

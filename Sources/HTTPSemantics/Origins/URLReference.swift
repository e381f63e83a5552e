package import FoundationEssentials

/// URL references as people and servers write them, with characters that no URL may contain
/// ([RFC 3986 §4.1](https://www.rfc-editor.org/rfc/rfc3986#section-4.1)).
package enum URLReference {
    /// Resolves a server's reference; `nil` if the result is no URL.
    ///
    /// Each character that no URL may contain is percent-encoded, and escapes are kept.
    /// `URL(string:)` would then also encode every percent sign: `a%20b c` would become
    /// `a%2520b%20c`.
    package static func url(_ text: String, relativeTo base: URL?) -> URL? {
        let (authority, target) = parts(of: text)
        return URL(string: authority + encodedTarget(target), relativeTo: base)
    }

    /// The text with all characters encoded that no URL may contain; escapes are kept.
    package static func encodeStray(_ text: Substring) -> String {
        var encoded = ""
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let isFine =
                byte == UInt8(ascii: "%")
                ? rest.escape != nil
                : (0x21...0x7E).contains(byte) && !"\"<>[]\\^`{|}".utf8.contains(byte)
            append(byte, to: &encoded, asIs: isFine)
        }
        return encoded
    }

    /// Appends a byte of ASCII as it is, or any byte percent-encoded.
    package static func append(_ byte: UInt8, to text: inout String, asIs: Bool) {
        if asIs {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            text += "%" + byte.hexText.uppercased()
        }
    }

    /// The path, query and fragment, with such characters encoded, and a second `#` too.
    package static func encodedTarget(_ text: Substring) -> String {
        let parts = text.split(byte: UInt8(ascii: "#"), omittingEmptySubsequences: false)
            .map(encodeStray)
        guard parts.count > 1 else { return parts[0] }
        return parts[0] + "#" + parts[1...].joined(separator: "%23")
    }

    /// The scheme and authority, which have characters of their own, and what follows them.
    private static func parts(of text: String) -> (authority: Substring, target: Substring) {
        let bytes = text.utf8
        let scheme = bytes.prefix { !"/?#".utf8.contains($0) }
        let rest = bytes[scheme.endIndex...]
        let isAbsolute = scheme.isEmpty || scheme.last == UInt8(ascii: ":")
        guard isAbsolute, rest.starts(with: "//".utf8) else { return ("", text[...]) }
        let end = rest.dropFirst(2).firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        return (text[..<end], text[end...])
    }
}

import URLLoading

/// Percent-encoding (RFC 3986, 2.1).
enum PercentCoding {
    /// The text with its escapes resolved, or nil where the bytes are not UTF-8.
    ///
    /// A percent sign that begins no escape is literal.
    static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(validating: text.utf8.percentDecoded, as: UTF8.self)
    }

    /// The text with every byte escaped that is not unreserved (RFC 3986, 2.3): fit for one segment
    /// of a path.
    static func encodeSegment(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            append(byte, to: &encoded, asIs: isUnreserved(byte))
        }
        return encoded
    }

    /// Bytes as a form or a query has them: a blank is a plus sign.
    static func encodeForm(_ bytes: some Sequence<UInt8>) -> String {
        var encoded = ""
        for byte in bytes {
            let isBlank = byte == UInt8(ascii: " ")
            append(
                isBlank ? UInt8(ascii: "+") : byte,
                to: &encoded,
                asIs: isBlank || isUnreserved(byte)
            )
        }
        return encoded
    }

    /// The text with escapes for what no URL may hold, and its own escapes as they are.
    ///
    /// `URL(string:)` would do the same for the rest, but in a text that needs any escape it takes
    /// every percent sign for itself: `a%20b c` would become `a%2520b%20c`.
    static func encodeStray(_ text: Substring) -> String {
        var encoded = ""
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let isFine =
                byte == UInt8(ascii: "%")
                ? rest.escape != nil
                : byte < 0x80 && !"\"<>[]\\^`{|} ".utf8.contains(byte)
            append(byte, to: &encoded, asIs: isFine)
        }
        return encoded
    }

    private static func append(_ byte: UInt8, to text: inout String, asIs: Bool) {
        if asIs {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            text += "%" + byte.hexText.uppercased()
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~".utf8.contains(byte)
    }
}

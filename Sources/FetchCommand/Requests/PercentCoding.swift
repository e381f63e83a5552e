import URLLoading

enum PercentCoding {
    /// The percent-decoded text; `nil` if the result is not UTF-8.
    ///
    /// A percent sign without two hexadecimal digits is literal.
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

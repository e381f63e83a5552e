/// Escapes of a URL made bytes again
/// ([RFC 3986 §2.1](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)).
enum PercentDecoding {
    /// The bytes of a text; a `%` without two hexadecimal digits behind it stays.
    static func bytes(of text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            let next = text.index(after: place)
            if byte == UInt8(ascii: "%"),
                let after = text.index(next, offsetBy: 2, limitedBy: text.endIndex),
                let high = digit(text[next]), let low = digit(text[text.index(after: next)])
            {
                bytes.append(high << 4 | low)
                place = after
            } else {
                bytes.append(byte)
                place = next
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

/// Reads the value of a field piece by piece.
struct FieldScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// The next byte; `nil` at the end.
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    var isAtEnd: Bool { index == bytes.count }

    /// Takes the next byte; `nil` at the end.
    mutating func popFirst() -> UInt8? {
        defer { if !isAtEnd { index += 1 } }
        return peek
    }

    /// Takes a character, if it is the next one.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    /// Takes the bytes before the first unwanted one; there may be none.
    mutating func take(while isWanted: (UInt8) -> Bool) -> String {
        let start = index
        skip(while: isWanted)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Skips the bytes before the first unwanted one.
    mutating func skip(while isWanted: (UInt8) -> Bool) {
        while let byte = peek, isWanted(byte) { index += 1 }
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        skip(while: \.isBlank)
    }

    /// Takes a quoted string that begins at the next byte ([RFC 9110
    /// §5.6.4](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4)).
    mutating func takeQuoted() -> (content: String, isClosed: Bool) {
        index += 1
        var content: [UInt8] = []
        while var byte = popFirst() {
            if byte == UInt8(ascii: "\"") {
                return (String(decoding: content, as: UTF8.self), true)
            }
            if byte == UInt8(ascii: "\\"), let escaped = popFirst() { byte = escaped }
            content.append(byte)
        }
        return (String(decoding: content, as: UTF8.self), false)
    }

    /// Takes a quoted string that begins at the next byte, and returns its content; `nil` if it has no end.
    mutating func quotedString() -> String? {
        let (content, isClosed) = takeQuoted()
        return isClosed ? content : nil
    }
}

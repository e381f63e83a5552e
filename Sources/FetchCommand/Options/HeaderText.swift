/// The text of header values.
enum HeaderText {
    /// Whether the value may stand in a line: RFC 9110, 5.5 forbids CR, LF and NUL.
    ///
    /// Looks at bytes: to Swift, CR LF is one character that equals neither.
    static func isClean(_ text: some StringProtocol) -> Bool {
        !text.utf8.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 }
    }

    /// The text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring) -> String {
        var bytes = text.utf8
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return String(Substring(bytes))
    }

    /// The text without spaces at its end.
    static func withoutTrailingSpaces(_ text: Substring) -> String {
        var text = text
        while text.utf8.last == 0x20 { text.removeLast() }
        return String(text)
    }
}

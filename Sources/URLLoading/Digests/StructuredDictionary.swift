/// A dictionary among the structured fields
/// ([RFC 9651 §4.2.2](https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2)), of whose values only
/// bytes are kept.
///
/// It is read to its end, and is none where anything in it is not as it should be.
struct StructuredDictionary {
    /// The value of a member.
    enum Value: Equatable {
        case bytes([UInt8])
        /// A number, a text, a list or whatever else.
        case other
    }

    /// The last of each name counts.
    private(set) var members: [String: Value] = [:]

    /// `nil` where the text is none.
    init?(_ text: String) {
        var scanner = StructuredScanner(text)
        scanner.skipSpaces()
        while !scanner.isAtEnd {
            guard let name = scanner.key() else { return nil }
            var value = Value.other
            if scanner.take("=") {
                guard let read = scanner.take("(") ? scanner.innerList() : scanner.bareItem() else {
                    return nil
                }
                value = read
            }
            guard scanner.parameters() else { return nil }
            members[name] = value
            scanner.skipBlanks()
            guard !scanner.isAtEnd else { return }
            guard scanner.take(",") else { return nil }
            scanner.skipBlanks()
            if scanner.isAtEnd { return nil }
        }
    }
}

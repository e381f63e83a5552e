/// Parses a structured field that is a dictionary; it keeps only values that are bytes.
///
/// See [RFC 9651 §4.2.2](https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2). The parser reads the
/// whole text, and any error makes it invalid.
public struct StructuredDictionary: Sendable, Hashable {
    /// The value of a member.
    public enum Value: Sendable, Hashable {
        /// A byte sequence (§3.3.5).
        case bytes([UInt8])
        /// A number, a text, a list or another value.
        case other
    }

    /// The members by their names; of several with one name, the last counts.
    public private(set) var members: [String: Value] = [:]

    /// Parses a field's value; `nil` if it is malformed.
    public init?(_ text: String) {
        let spaces = text.utf8.reversed().prefix { $0 == 0x20 }
        var scanner = FieldScanner(Substring(text.utf8.dropLast(spaces.count)))
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

// Parses the parts of a structured field ([RFC 9651
// §4.2](https://www.rfc-editor.org/rfc/rfc9651#section-4.2)).
extension FieldScanner {
    fileprivate mutating func skipSpaces() {
        skip { $0 == 0x20 }
    }

    fileprivate mutating func key() -> String? {
        guard let first = peek, first.isLower || first == UInt8(ascii: "*") else { return nil }
        return take { $0.isLower || $0.isDigit || "_-.*".utf8.contains($0) }
    }

    /// Skips the parameters of an item; returns whether they are valid.
    fileprivate mutating func parameters() -> Bool {
        while take(";") {
            skipSpaces()
            guard key() != nil else { return false }
            if take("="), bareItem() == nil { return false }
        }
        return true
    }

    /// Parses a list after its opening parenthesis, including the closing one.
    fileprivate mutating func innerList() -> StructuredDictionary.Value? {
        while true {
            skipSpaces()
            if take(")") { return .other }
            guard bareItem() != nil, parameters(),
                peek == 0x20 || peek == UInt8(ascii: ")")
            else { return nil }
        }
    }

    fileprivate mutating func bareItem() -> StructuredDictionary.Value? {
        switch peek {
        case UInt8(ascii: ":"): return byteSequence()
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "?"): return take("?") && (take("0") || take("1")) ? .other : nil
        case UInt8(ascii: "@"): return take("@") && number() ? .other : nil
        case UInt8(ascii: "%"): return take("%") && string() ? .other : nil
        case UInt8(ascii: "-"), (0x30...0x39)?: return number() ? .other : nil
        case let first? where first.isLetter || first == UInt8(ascii: "*"):
            skip { !$0.isDelimiter }
            return .other
        default: return nil
        }
    }

    private mutating func byteSequence() -> StructuredDictionary.Value? {
        _ = take(":")
        let text = take { $0 != UInt8(ascii: ":") }
        guard take(":"), text.utf8.allSatisfy({ $0.isAlphanumeric || "+/=".utf8.contains($0) })
        else { return nil }
        return BodyDigest.bytes(base64: text).map { .bytes($0) }
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = popFirst(), "\"\\".utf8.contains(escaped) else { return false }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard (1...15).contains(take(while: \.isDigit).utf8.count) else { return false }
        return !take(".") || (1...3).contains(take(while: \.isDigit).utf8.count)
    }
}

extension UInt8 {
    fileprivate var isLower: Bool { (0x61...0x7A).contains(self) }

    /// Whether the byte ends a token.
    fileprivate var isDelimiter: Bool {
        self <= 0x20 || self >= 0x7F || "\"(),;<=>?@[\\]{}".utf8.contains(self)
    }
}

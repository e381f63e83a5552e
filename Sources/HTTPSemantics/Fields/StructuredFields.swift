/// A dictionary among the structured fields
/// ([RFC 9651 §4.2.2](https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2)), of whose values only
/// bytes are kept.
///
/// The whole text is read, and any error makes it invalid.
public struct StructuredDictionary: Sendable, Hashable {
    /// The value of a member.
    public enum Value: Sendable, Hashable {
        /// A byte sequence (§3.3.5).
        case bytes([UInt8])
        /// A number, a text, a list or whatever else.
        case other
    }

    /// The members by their names; of several with one name the last counts.
    public private(set) var members: [String: Value] = [:]

    /// `nil` where the text is malformed.
    public init?(_ text: String) {
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

/// Reads a structured field from its beginning to its end, a piece at a time
/// ([RFC 9651 §4.2](https://www.rfc-editor.org/rfc/rfc9651#section-4.2)).
struct StructuredScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
        while rest.last == 0x20 { rest.removeLast() }
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a sign, if it is the next.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipSpaces() {
        rest = rest.drop { $0 == 0x20 }
    }

    /// Spaces and tabs between members.
    mutating func skipBlanks() {
        rest = rest.drop(while: \.isBlank)
    }

    mutating func key() -> String? {
        guard let first = rest.first, Self.isLower(first) || first == UInt8(ascii: "*") else {
            return nil
        }
        return take { Self.isLower($0) || $0.isDigit || "_-.*".utf8.contains($0) }
    }

    /// The parameters of an item, whose values are not used.
    ///
    /// - Returns: whether they are in order.
    mutating func parameters() -> Bool {
        while take(";") {
            skipSpaces()
            guard key() != nil else { return false }
            if take("="), bareItem() == nil { return false }
        }
        return true
    }

    /// What follows an opening parenthesis, with the closing one.
    mutating func innerList() -> StructuredDictionary.Value? {
        while true {
            skipSpaces()
            if take(")") { return .other }
            guard bareItem() != nil, parameters(),
                rest.first == 0x20 || rest.first == UInt8(ascii: ")")
            else { return nil }
        }
    }

    mutating func bareItem() -> StructuredDictionary.Value? {
        switch rest.first {
        case UInt8(ascii: ":"): return bytes()
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "?"): return take("?") && (take("0") || take("1")) ? .other : nil
        case UInt8(ascii: "@"): return take("@") && number() ? .other : nil
        case UInt8(ascii: "%"): return take("%") && string() ? .other : nil
        case UInt8(ascii: "-"), (0x30...0x39)?: return number() ? .other : nil
        case let first? where first.isLetter || first == UInt8(ascii: "*"):
            return take { !$0.isDelimiter } == nil ? nil : .other
        default: return nil
        }
    }

    private mutating func bytes() -> StructuredDictionary.Value? {
        guard take(":"), let end = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let text = rest[..<end]
        rest = rest[rest.index(after: end)...]
        let isPlain = text.allSatisfy {
            $0.isLetter || $0.isDigit || "+/=".utf8.contains($0)
        }
        guard isPlain else { return nil }
        return BodyDigest.bytes(base64: String(decoding: text, as: UTF8.self)).map { .bytes($0) }
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), "\"\\".utf8.contains(escaped) else {
                    return false
                }
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard let digits = take({ $0.isDigit }), digits.utf8.count <= 15 else { return false }
        return !take(".") || (take { $0.isDigit }).map { $0.utf8.count <= 3 } ?? false
    }

    /// Takes what is so; `nil` where nothing is.
    private mutating func take(_ isSo: (UInt8) -> Bool) -> String? {
        let taken = rest.prefix(while: isSo)
        rest = rest[taken.endIndex...]
        return taken.isEmpty ? nil : String(decoding: taken, as: UTF8.self)
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}

extension UInt8 {
    /// Whether a token ends before it.
    fileprivate var isDelimiter: Bool {
        self <= 0x20 || self >= 0x7F || "\"(),;<=>?@[\\]{}".utf8.contains(self)
    }
}

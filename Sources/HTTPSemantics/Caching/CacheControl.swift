/// A parsed `Cache-Control` field, or several of them ([RFC 9111
/// §5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2)).
public struct CacheControl: Sendable, Hashable {
    /// One directive.
    public struct Directive: Sendable, Hashable {
        /// In lower case.
        public let name: String
        /// Without its quotes; `nil` where there is none.
        public let argument: String?
        /// Whether it can be read at all.
        public let isValid: Bool
    }

    /// A length of time that a directive may give.
    public enum Delta: Sendable, Hashable {
        /// The directive is not there.
        case absent
        /// The directive is present without a number.
        case bare
        /// The directive is malformed or contradicts itself: the response is stale.
        case invalid
        /// This many seconds, at most 2³¹.
        case seconds(Int)

        /// The number, where there is one.
        public var seconds: Int? {
            if case .seconds(let seconds) = self { seconds } else { nil }
        }
    }

    /// The greatest length of time; a longer one counts as this
    /// ([RFC 9111 §1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)).
    public static let maximumDelta = 1 << 31

    /// The directives in their order; unknown ones among them.
    public let directives: [Directive]

    /// Reads the values of all fields, joined by commas.
    public init(_ value: String?) {
        guard let value else {
            directives = []
            return
        }
        var scanner = DirectiveScanner(value)
        var directives: [Directive] = []
        while let directive = scanner.next() { directives.append(directive) }
        self.directives = directives
    }

    /// Whether a directive is there, with or without an argument.
    public func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// The length of time that a directive gives.
    public func delta(_ name: String) -> Delta {
        var result = Delta.absent
        for directive in directives where directive.name == name {
            let delta = Self.delta(directive)
            // Two different values count as stale (RFC 9111 §4.2.1); two equal ones count once.
            result = result == .absent || result == delta ? delta : .invalid
        }
        return result
    }

    private static func delta(_ directive: Directive) -> Delta {
        guard directive.isValid else { return .invalid }
        guard let argument = directive.argument else { return .bare }
        return seconds(argument).map(Delta.seconds) ?? .invalid
    }

    /// A number of seconds; a larger one counts as the maximum.
    public static func seconds(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? maximumDelta, maximumDelta)
    }

    /// The fields that a qualified directive names, in lower case; `nil` where it names none, and so
    /// applies to all.
    public func fieldNames(_ name: String) -> Set<String>? {
        var names: Set<String> = []
        for directive in directives where directive.name == name {
            guard directive.isValid, let argument = directive.argument else { return nil }
            let own = StoredFields.members(argument).filter { !$0.isEmpty }
            if own.isEmpty { return nil }
            names.formUnion(own)
        }
        return names
    }
}

/// Reads directives one after another: `name`, `name=token`, `name="quoted, string"`.
///
/// Any other text between commas is an invalid directive: no input stops the scanner.
struct DirectiveScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next directive; `nil` at the end.
    mutating func next() -> CacheControl.Directive? {
        while index < bytes.count, isSpace(bytes[index]) || bytes[index] == UInt8(ascii: ",") {
            index += 1
        }
        guard index < bytes.count else { return nil }
        let name = take { HTTPSyntax.isTokenByte($0) }.asciiLowercased
        guard !name.isEmpty else { return invalid(name) }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
            return isAtEnd()
                ? CacheControl.Directive(name: name, argument: nil, isValid: true) : invalid(name)
        }
        index += 1
        let argument =
            index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            ? quoted() : take { HTTPSyntax.isTokenByte($0) }
        guard let argument, isAtEnd() else { return invalid(name) }
        return CacheControl.Directive(name: name, argument: argument, isValid: true)
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, isWanted(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The content of a quoted string; `nil` where it has no end.
    private mutating func quoted() -> String? {
        index += 1
        var content: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\") where index < bytes.count:
                content.append(bytes[index])
                index += 1
            default: content.append(byte)
            }
        }
        return nil
    }

    /// Whether the directive is over: a comma, or the end.
    private mutating func isAtEnd() -> Bool {
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        return index == bytes.count || bytes[index] == UInt8(ascii: ",")
    }

    /// A directive that cannot be read, and all up to the next comma.
    private mutating func invalid(_ name: String) -> CacheControl.Directive {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") { index += 1 }
        return CacheControl.Directive(name: name, argument: nil, isValid: false)
    }
}

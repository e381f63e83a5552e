/// Parses one `Cache-Control` field, or several ([RFC 9111
/// §5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2)).
public struct CacheControl: Sendable, Hashable {
    /// One directive.
    public struct Directive: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The argument without its quotes; `nil` if there is none.
        public let argument: String?
        /// Whether we could parse the directive.
        public let isValid: Bool
    }

    /// The time that a directive gives.
    public enum Delta: Sendable, Hashable {
        /// The fields do not contain the directive.
        case absent
        /// The directive has no number.
        case bare
        /// The directive is malformed or contradicts itself: the response is stale.
        case invalid
        /// The directive gives this number of seconds, at most 2³¹.
        case seconds(Int)

        /// The number, if there is one.
        public var seconds: Int? {
            if case .seconds(let seconds) = self { seconds } else { nil }
        }
    }

    /// The longest time; a longer one counts as this ([RFC 9111
    /// §1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)).
    public static let maximumDelta = 1 << 31

    /// The directives in their order, including unknown ones.
    public let directives: [Directive]

    /// Parses the values of all fields, joined by commas.
    public init(_ value: String?) {
        guard let value else {
            directives = []
            return
        }
        var scanner = FieldScanner(value)
        var directives: [Directive] = []
        while let directive = scanner.directive() { directives.append(directive) }
        self.directives = directives
    }

    /// Whether the fields contain a directive, with or without an argument.
    public func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// The time that a directive gives.
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

    /// Parses a number of seconds; a larger one counts as the maximum.
    public static func seconds(_ text: some StringProtocol) -> Int? {
        guard text.isDigits else { return nil }
        return min(Int(text) ?? maximumDelta, maximumDelta)
    }

    /// The fields that a qualified directive names, in lower case.
    ///
    /// `nil` if it names none, and so applies to all fields.
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

/// Parses directives: `name`, `name=token`, `name="quoted, string"`.
///
/// Any other text between commas is an invalid directive: the parser accepts any input.
extension FieldScanner {
    /// The next directive; `nil` at the end.
    mutating func directive() -> CacheControl.Directive? {
        let comma = UInt8(ascii: ",")
        skip { $0.isBlank || $0 == comma }
        guard !isAtEnd else { return nil }
        let name = take(while: HTTPSyntax.isTokenByte).asciiLowercased
        var argument: String?
        var isValid = !name.isEmpty
        if isValid, take("=") {
            argument =
                peek == UInt8(ascii: "\"") ? quotedString() : take(while: HTTPSyntax.isTokenByte)
            isValid = argument != nil
        }
        skipBlanks()
        if isValid, isAtEnd || peek == comma {
            return CacheControl.Directive(name: name, argument: argument, isValid: true)
        }
        skip { $0 != comma }
        return CacheControl.Directive(name: name, argument: nil, isValid: false)
    }
}

/// A `Cache-Control` field, or several of them, taken apart
/// ([RFC 9111 §5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2)).
struct CacheControl: Sendable, Hashable {
    /// What a directive says.
    struct Directive: Sendable, Hashable {
        /// In lower case.
        let name: String
        /// Without its quotes; `nil` where there is none.
        let argument: String?
        /// Whether it can be read at all.
        let isValid: Bool
    }

    /// A length of time that a directive may give.
    enum Delta: Sendable, Hashable {
        /// The directive is not there.
        case absent
        /// It stands there without a number.
        case bare
        /// It cannot be read, or says two things: what it is about is stale.
        case invalid
        case seconds(Int)

        /// The number, where there is one.
        var seconds: Int? {
            if case .seconds(let seconds) = self { seconds } else { nil }
        }
    }

    /// The greatest length of time; a longer one counts as this
    /// ([RFC 9111 §1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)).
    static let maximumDelta = 1 << 31

    /// The directives in their order; those that nobody knows among them.
    let directives: [Directive]

    /// Reads the values of all fields, joined by commas.
    init(_ value: String?) {
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
    func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// The length of time that a directive gives.
    func delta(_ name: String) -> Delta {
        var result = Delta.absent
        for directive in directives where directive.name == name {
            let delta = Self.delta(directive)
            // Said twice it may be taken as stale (RFC 9111 §4.2.1); said twice alike, as once.
            result = result == .absent || result == delta ? delta : .invalid
        }
        return result
    }

    private static func delta(_ directive: Directive) -> Delta {
        guard directive.isValid else { return .invalid }
        guard let argument = directive.argument else { return .bare }
        return seconds(argument).map(Delta.seconds) ?? .invalid
    }

    /// A number of seconds; what is too large is the greatest there is.
    static func seconds(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? maximumDelta, maximumDelta)
    }

    /// The fields that a qualified directive names, in lower case; `nil` where it stands there
    /// without names, and so speaks of all.
    func fieldNames(_ name: String) -> Set<String>? {
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

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field
/// ([RFC 9110 §11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3)).
public struct HTTPChallenge: Sendable, Hashable {
    /// A parameter: its name in lower case, its value without quotes and escapes.
    public struct Parameter: Sendable, Hashable {
        /// In lower case.
        public let name: String
        /// Without quotes and escapes.
        public let value: String
    }

    /// More parameters than any scheme has; further ones are ignored.
    private static let limit = 100

    /// The scheme in lower case.
    public let scheme: String
    /// The value in place of parameters; `nil` where the challenge has parameters, or neither.
    public let token68: String?
    /// The parameters, each name once.
    public private(set) var parameters: [Parameter] = []

    /// A challenge without parameters.
    public init(scheme: String, token68: String? = nil) {
        self.scheme = scheme.asciiLowercased
        self.token68 = token68
    }

    /// The value of a parameter, its name in lower case.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Adds a parameter; of a repeated name the first value counts.
    public mutating func add(_ name: String, _ value: String) {
        let name = name.asciiLowercased
        guard parameters.count < Self.limit, self[name] == nil else { return }
        parameters.append(Parameter(name: name, value: value))
    }
}

extension HTTPChallenge {
    /// All challenges of some fields, in their order.
    public static func challenges(in values: [String]) -> [HTTPChallenge] {
        values.flatMap { value in
            var parser = HTTPChallengeParser(value)
            return parser.challenges()
        }
    }

    /// The parameters of a field that has no scheme, as `Authentication-Info`.
    public static func parameters(in value: String) -> HTTPChallenge {
        var parser = HTTPChallengeParser(value)
        return parser.parameters()
    }
}

/// Reads lists of challenges
/// ([RFC 9110 §11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)).
///
/// A comma separates challenges or parameters, or is inside a quoted string: what follows a comma is
/// a new challenge where no `=` follows the word. What servers get wrong is taken where it can mean
/// one thing only: empty list elements, missing commas between parameters, values that should have
/// been quoted. Where it cannot, the one challenge is left out, and those around it stay. Time is
/// linear in the length.
struct HTTPChallengeParser {
    private var scanner: FieldScanner

    init(_ text: String) {
        scanner = FieldScanner(text)
    }

    mutating func challenges() -> [HTTPChallenge] {
        var found: [HTTPChallenge] = []
        var current: HTTPChallenge?
        var isBroken = false
        var isFirst = true
        func finished() -> [HTTPChallenge] { isBroken ? [] : current.map { [$0] } ?? [] }
        while true {
            let isSeparated = skipSeparators() || isFirst
            isFirst = false
            guard !scanner.isAtEnd else { break }
            guard let name = takeToken() else {
                // Without a word, this is no part of a challenge.
                isBroken = true
                skipElement()
                continue
            }
            let hasSpace = scanner.peek?.isBlank == true
            scanner.skipBlanks()
            if scanner.peek == UInt8(ascii: "=") {
                guard let value = takeValue() else {
                    isBroken = true
                    continue
                }
                // A challenge with a token68 has no parameters.
                if current?.token68 == nil { current?.add(name, value) }
            } else if isSeparated {
                found += finished()
                isBroken = false
                current = HTTPChallenge(scheme: name, token68: hasSpace ? takeToken68() : nil)
            } else {
                isBroken = true
            }
        }
        return found + finished()
    }

    /// A list of parameters; one that cannot be read ends it.
    mutating func parameters() -> HTTPChallenge {
        var list = HTTPChallenge(scheme: "")
        while true {
            _ = skipSeparators()
            guard let name = takeToken() else { return list }
            scanner.skipBlanks()
            guard scanner.peek == UInt8(ascii: "="), let value = takeValue() else { return list }
            list.add(name, value)
        }
    }
}

extension HTTPChallengeParser {
    /// Whether there was a comma among the spaces.
    private mutating func skipSeparators() -> Bool {
        var hasComma = false
        scanner.skip { byte in
            if byte == UInt8(ascii: ",") { hasComma = true }
            return byte.isBlank || byte == UInt8(ascii: ",")
        }
        return hasComma
    }

    /// To the next comma that is in no quoted string.
    private mutating func skipElement() {
        while true {
            scanner.skip { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            guard scanner.peek == UInt8(ascii: "\""), takeQuoted() != nil else { return }
        }
    }

    private mutating func takeToken() -> String? {
        let token = scanner.take(while: HTTPSyntax.isTokenByte)
        return token.isEmpty ? nil : token
    }

    /// What follows the `=`: quoted, or up to a space or a comma; `nil` where it is broken.
    private mutating func takeValue() -> String? {
        _ = scanner.take("=")
        scanner.skipBlanks()
        if scanner.peek == UInt8(ascii: "\"") { return takeQuoted() }
        let value = scanner.take { byte in
            byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
        }
        if let byte = scanner.peek, !byte.isBlank, byte != UInt8(ascii: ",") {
            skipElement()
            return nil
        }
        return value
    }

    /// A quoted string, at whose first quote it is; `nil` where it has no end, or holds control
    /// characters, which no field may have (RFC 9110 §5.5).
    private mutating func takeQuoted() -> String? {
        scanner.quotedString().flatMap { $0.utf8.contains(where: HTTPSyntax.isControl) ? nil : $0 }
    }

    /// One, if it is all that is before the next comma; else it stays where it is.
    private mutating func takeToken68() -> String? {
        let start = scanner
        let token = scanner.take(while: HTTPSyntax.isToken68Byte)
        let padding = scanner.take { $0 == UInt8(ascii: "=") }
        scanner.skipBlanks()
        guard !token.isEmpty, scanner.isAtEnd || scanner.peek == UInt8(ascii: ",") else {
            scanner = start
            return nil
        }
        return token + padding
    }
}

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field
/// ([RFC 9110 §11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3)).
public struct HTTPChallenge: Sendable, Hashable {
    /// A parameter: its name in lower case, its value without quotes and escapes.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value without quotes and escapes.
        public let value: String
    }

    /// The maximum number of parameters, more than any scheme has; the parser ignores further ones.
    private static let limit = 100

    /// The scheme in lower case.
    public let scheme: String
    /// The value that replaces the parameters; `nil` if the challenge has parameters, or neither.
    public let token68: String?
    /// The parameters, one for each name.
    public private(set) var parameters: [Parameter] = []

    /// Makes a challenge without parameters.
    public init(scheme: String, token68: String? = nil) {
        self.scheme = scheme.asciiLowercased
        self.token68 = token68
    }

    /// The value of a parameter; the caller passes the name in lower case.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Adds a parameter; for a repeated name, the first value counts.
    public mutating func add(_ name: String, _ value: String) {
        let name = name.asciiLowercased
        guard parameters.count < Self.limit, self[name] == nil else { return }
        parameters.append(Parameter(name: name, value: value))
    }
}

extension HTTPChallenge {
    /// All challenges of several fields, in their order.
    public static func challenges(in values: [String]) -> [HTTPChallenge] {
        values.flatMap { value in
            var scanner = FieldScanner(value)
            return scanner.challenges()
        }
    }

    /// The parameters of a field without a scheme, such as `Authentication-Info`.
    public static func parameters(in value: String) -> HTTPChallenge {
        var scanner = FieldScanner(value)
        return scanner.parameters()
    }
}

extension FieldScanner {
    /// Parses a list of challenges.
    ///
    /// See [RFC 9110 §11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1). A comma separates
    /// challenges or parameters, or is inside a quoted string. The word after a comma begins a new
    /// challenge if no `=` follows it.
    ///
    /// The parser accepts a server's mistakes if they have only one meaning: empty list elements, missing
    /// commas between parameters, and values without their quotes. Otherwise it omits that one challenge,
    /// and keeps the ones around it. It takes linear time.
    fileprivate mutating func challenges() -> [HTTPChallenge] {
        var found: [HTTPChallenge] = []
        var current: HTTPChallenge?
        var isBroken = false
        var isFirst = true
        func finished() -> [HTTPChallenge] { isBroken ? [] : current.map { [$0] } ?? [] }
        while true {
            let isSeparated = skipSeparators() || isFirst
            isFirst = false
            guard !isAtEnd else { break }
            guard let name = takeToken() else {
                // Without a word, this does not belong to a challenge.
                isBroken = true
                skipElement()
                continue
            }
            let hasSpace = peek?.isBlank == true
            skipBlanks()
            if peek == UInt8(ascii: "=") {
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

    /// Parses a list of parameters; a malformed one ends it.
    fileprivate mutating func parameters() -> HTTPChallenge {
        var list = HTTPChallenge(scheme: "")
        while true {
            _ = skipSeparators()
            guard let name = takeToken() else { return list }
            skipBlanks()
            guard peek == UInt8(ascii: "="), let value = takeValue() else { return list }
            list.add(name, value)
        }
    }

    /// Whether the skipped separators include a comma.
    private mutating func skipSeparators() -> Bool {
        var hasComma = false
        skip { byte in
            if byte == UInt8(ascii: ",") { hasComma = true }
            return byte.isBlank || byte == UInt8(ascii: ",")
        }
        return hasComma
    }

    /// Skips to the next comma outside of quoted strings.
    private mutating func skipElement() {
        while true {
            skip { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            guard peek == UInt8(ascii: "\""), takeText() != nil else { return }
        }
    }

    private mutating func takeToken() -> String? {
        let token = take(while: HTTPSyntax.isTokenByte)
        return token.isEmpty ? nil : token
    }

    /// Takes the value after the `=`: quoted, or up to a space or a comma; `nil` if it is malformed.
    private mutating func takeValue() -> String? {
        _ = take("=")
        skipBlanks()
        if peek == UInt8(ascii: "\"") { return takeText() }
        let value = take { byte in
            byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
        }
        if let byte = peek, !byte.isBlank, byte != UInt8(ascii: ",") {
            skipElement()
            return nil
        }
        return value
    }

    /// Takes a quoted string, from its first quote; `nil` if it has no end, or has controls (RFC 9110 §5.5).
    private mutating func takeText() -> String? {
        quotedString().flatMap { $0.utf8.contains(where: HTTPSyntax.isControl) ? nil : $0 }
    }

    /// Takes a token68 if it fills the place up to the next comma; otherwise the scanner does not move.
    private mutating func takeToken68() -> String? {
        let start = self
        let token = take(while: HTTPSyntax.isToken68Byte)
        let padding = take { $0 == UInt8(ascii: "=") }
        skipBlanks()
        guard !token.isEmpty, isAtEnd || peek == UInt8(ascii: ",") else {
            self = start
            return nil
        }
        return token + padding
    }
}

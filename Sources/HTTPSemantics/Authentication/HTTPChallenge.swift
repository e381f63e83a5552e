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
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
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
            guard index < bytes.count else { break }
            guard let name = takeToken() else {
                // Without a word, this is no part of a challenge.
                isBroken = true
                skipElement()
                continue
            }
            let hasSpace = skipSpace()
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

    /// A list of parameters; one that cannot be read ends it.
    mutating func parameters() -> HTTPChallenge {
        var list = HTTPChallenge(scheme: "")
        while true {
            _ = skipSeparators()
            guard let name = takeToken() else { return list }
            _ = skipSpace()
            guard peek == UInt8(ascii: "="), let value = takeValue() else { return list }
            list.add(name, value)
        }
    }
}

extension HTTPChallengeParser {
    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether there was any.
    private mutating func skipSpace() -> Bool {
        let start = index
        while let byte = peek, isSpace(byte) { index += 1 }
        return index > start
    }

    /// Whether there was a comma among the spaces.
    private mutating func skipSeparators() -> Bool {
        var hasComma = false
        while let byte = peek, isSpace(byte) || byte == UInt8(ascii: ",") {
            if byte == UInt8(ascii: ",") { hasComma = true }
            index += 1
        }
        return hasComma
    }

    /// To the next comma that is in no quoted string.
    private mutating func skipElement() {
        while let byte = peek, byte != UInt8(ascii: ",") {
            if byte != UInt8(ascii: "\"") {
                index += 1
            } else if takeQuoted() == nil {
                return
            }
        }
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> String? {
        let start = index
        while let byte = peek, isWanted(byte) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    private mutating func takeToken() -> String? {
        take(while: HTTPSyntax.isTokenByte)
    }

    /// What follows the `=`: quoted, or up to a space or a comma; `nil` where it is broken.
    private mutating func takeValue() -> String? {
        index += 1
        _ = skipSpace()
        if peek == UInt8(ascii: "\"") { return takeQuoted() }
        let value = take { byte in
            byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
        }
        if let byte = peek, !isSpace(byte), byte != UInt8(ascii: ",") {
            skipElement()
            return nil
        }
        return value ?? ""
    }

    /// A quoted string, at whose first quote it is; `nil` where it has no end, or holds control
    /// characters, which no field may have (RFC 9110 §5.5).
    private mutating func takeQuoted() -> String? {
        index += 1
        var value: [UInt8] = []
        var isClean = true
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                return isClean ? String(decoding: value, as: UTF8.self) : nil
            case UInt8(ascii: "\\"):
                guard let escaped = peek else { return nil }
                index += 1
                if HTTPSyntax.isControl(escaped) { isClean = false }
                value.append(escaped)
            default:
                if HTTPSyntax.isControl(byte) { isClean = false }
                value.append(byte)
            }
        }
        return nil
    }

    /// One, if it is all that is before the next comma; else it stays where it is.
    private mutating func takeToken68() -> String? {
        let start = index
        _ = take(while: HTTPSyntax.isToken68Byte)
        guard index > start else { return nil }
        while peek == UInt8(ascii: "=") { index += 1 }
        let end = index
        _ = skipSpace()
        guard peek == nil || peek == UInt8(ascii: ",") else {
            index = start
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

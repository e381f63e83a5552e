/// Reads directives one after another: `name`, `name=token`, `name="quoted, string"`.
///
/// What is between commas and is none of these is a directive that is not valid: nothing hostile
/// ends the reading.
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

import URLLoading

/// One line of a configuration file: a flag, and its value.
///
/// A line is `--flag value`, `--flag=value`, `-f value`, or any other form of one flag. The value
/// is the rest of the line, trimmed of blanks; a `#` in the value is literal, and nothing is
/// expanded. A value in double quotes may be empty, and may begin and end with blanks. In quotes,
/// `\"`, `\\`, `\n`, `\r` and `\t` are the only escapes; they mean the same as in C.
struct ConfigurationLine: Equatable, Sendable {
    struct ValidationError: Error, Equatable {
        let message: String
        var hint: String?
    }

    /// The flag; includes the value if the line has `=`.
    let word: String
    /// The value, if it is a separate word.
    let value: String?

    /// Parses a line without its line end; `nil` if the line is empty, or a comment.
    init?(_ line: Substring) throws(ValidationError) {
        let text = HTTPSyntax.trimmed(line)
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return nil }
        let name = text.utf8.prefix { !$0.isBlank && $0 != UInt8(ascii: "=") }
        guard first == UInt8(ascii: "-"), !text.utf8.dropFirst().isEmpty else {
            throw Self.noFlag(text, Substring(name))
        }
        guard name.count > 2 || name.last != UInt8(ascii: "-") else {
            throw ValidationError(message: "-- is not allowed in a file of flags")
        }
        let isLong = text.hasPrefix("--")
        if isLong, text.utf8.dropFirst(name.count).first == UInt8(ascii: "=") {
            let value = text.utf8.dropFirst(name.count + 1)
            word = String(Substring(name)) + "=" + (try Self.unquoted(Substring(value)))
            self.value = nil
            return
        }
        let word = text.utf8.prefix { !$0.isBlank }
        self.word = String(Substring(word))
        let rest = HTTPSyntax.trimmed(Substring(text.utf8.dropFirst(word.count)))
        value = rest.isEmpty ? nil : try Self.unquoted(rest)
    }

    /// The error for a line without a dash; only its first word is shown, the rest may be a secret.
    private static func noFlag(_ text: Substring, _ name: Substring) -> ValidationError {
        if text.utf8.contains(UInt8(ascii: ":")), text.contains("://") {
            return ValidationError(
                message: "a URL belongs on the command line, not in a file of flags"
            )
        }
        let isFlag = Flags.named("--\(name)") != nil
        return ValidationError(
            message: "'\(Printable.text(String(name)))' is not a flag: a line begins with - or #",
            hint: isFlag ? "did you mean --\(name)?" : nil
        )
    }

    private static func unquoted(_ text: Substring) throws(ValidationError) -> String {
        switch text.utf8.first {
        case UInt8(ascii: "\""): break
        case UInt8(ascii: "'") where text.utf8.last == UInt8(ascii: "'") && text.utf8.count > 1:
            throw ValidationError(
                message: "single quotes would be part of the value",
                hint: "use double quotes, or none"
            )
        default: return String(text)
        }
        var value: [UInt8] = []
        var rest = text.utf8.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                guard rest.isEmpty else {
                    throw ValidationError(message: "text follows the closing quote")
                }
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst().flatMap(unescaped) else {
                    throw ValidationError(
                        message: "unknown escape after a backslash",
                        hint: #"known escapes: \" \\ \n \r \t"#
                    )
                }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        throw ValidationError(message: "the closing quote is missing")
    }

    private static func unescaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}

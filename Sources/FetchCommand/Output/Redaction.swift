import Synchronization
import URLLoading

/// Removes secrets from everything that is printed.
enum Redaction {
    /// The fields of `--secret-header`, in lower case; never shrinks.
    private static let declared = Mutex<Set<String>>([])

    /// Declares a field's value a secret, which is not printed from now on.
    static func declare(secretHeader name: String) {
        _ = declared.withLock { $0.insert(name.asciiLowercased) }
    }

    /// The text that replaces a secret.
    static let placeholder = "(redacted)"

    static func isSecret(header name: String) -> Bool {
        switch HeaderText.trimmed(name[...]).asciiLowercased {
        case "authorization", "proxy-authorization", "cookie", "set-cookie": true
        case let name: declared.withLock { $0.contains(name) }
        }
    }

    /// A URL, valid or not, without its user and password.
    ///
    /// Everything up to the **last** `@` is removed. In `http://me:pa/ss@host` the password
    /// contains a slash, so a search for the end of the authority would print half of it.
    static func url(_ text: String) -> String {
        guard let (secret, rest) = text[...].split(atLast: UInt8(ascii: "@")) else { return text }
        let scheme = URLScanner.schemeEnd(of: secret).map { secret[..<$0.upperBound] } ?? ""
        return scheme + placeholder + "@" + rest
    }
}

/// Makes untrusted text safe for a terminal.
enum Printable {
    /// The text, with control characters and direction overrides escaped as `\u{1b}`.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// Whether the character can mislead a terminal or a reader: C0, DEL, C1, direction.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Text as one word for a shell's command line.
enum ShellWord {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,".utf8
    )

    /// The text, quoted if necessary; bash, zsh and ksh understand `$'\x1b'`.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(plain.contains) else { return text }
        guard text.unicodeScalars.contains(where: Printable.isHarmful) else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        let escaped = text.unicodeScalars.map { scalar in
            if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
            guard Printable.isHarmful(scalar) else { return String(scalar) }
            return String(scalar).utf8.map { "\\x" + $0.hexText }.joined()
        }
        return "$'" + escaped.joined() + "'"
    }
}

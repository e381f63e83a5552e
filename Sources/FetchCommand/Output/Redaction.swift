import Synchronization
import URLLoading

/// Keeps what is secret out of everything that is printed.
enum Redaction {
    /// What `--secret-header` has named, in lower case; it only ever grows.
    private static let declared = Mutex<Set<String>>([])

    /// Declares a header's value a credential, which is not printed from now on.
    static func declare(secretHeader name: String) {
        _ = declared.withLock { $0.insert(name.asciiLowercased) }
    }

    /// The placeholder of a secret.
    static let placeholder = "(redacted)"

    /// Whether a header's value is a credential.
    static func isSecret(header name: String) -> Bool {
        switch HeaderText.trimmed(name[...]).asciiLowercased {
        case "authorization", "proxy-authorization", "cookie", "set-cookie": true
        case let name: declared.withLock { $0.contains(name) }
        }
    }

    /// A possibly malformed URL, without a possible user and password.
    ///
    /// Everything up to the **last** `@` goes: in `http://me:pa/ss@host` the password holds a slash,
    /// so looking for the authority's end would print half of it.
    static func url(_ text: String) -> String {
        guard let (secret, rest) = text[...].split(atLast: UInt8(ascii: "@")) else { return text }
        let scheme = URLScanner.schemeEnd(of: secret).map { secret[..<$0.upperBound] } ?? ""
        return scheme + placeholder + "@" + rest
    }
}

/// Makes text from outside safe for a line on a terminal.
enum Printable {
    /// The text with control characters and direction overrides as `\u{1b}`.
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

    /// Whether a terminal or a reader would be misled: C0, DEL, C1, and the overrides of direction.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

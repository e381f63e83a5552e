import Synchronization
import URLLoading

/// Keeps what is secret out of everything that is printed.
enum Redaction {
    /// What `--secret-header` has named, in lower case; it only ever grows.
    private static let declared = Mutex<Set<String>>([])

    /// Makes a header's value a credential, wherever it is printed from now on.
    static func declare(secretHeader name: String) {
        _ = declared.withLock { $0.insert(name.asciiLowercased) }
    }

    /// What stands in a secret's place.
    static let placeholder = "(redacted)"

    /// Whether a header's value is a credential.
    static func isSecret(header name: String) -> Bool {
        switch HeaderText.trimmed(name[...]).asciiLowercased {
        case "authorization", "proxy-authorization", "cookie", "set-cookie": true
        case let name: declared.withLock { $0.contains(name) }
        }
    }

    /// A URL that may be malformed, without what may be a user and a password.
    ///
    /// Everything up to the **last** `@` goes: in `http://me:pa/ss@host` the password holds a slash,
    /// so looking for the authority's end would print half of it.
    static func url(_ text: String) -> String {
        guard let (secret, rest) = text[...].split(atLast: UInt8(ascii: "@")) else { return text }
        let scheme = URLScanner.schemeEnd(of: secret).map { secret[..<$0.upperBound] } ?? ""
        return scheme + placeholder + "@" + rest
    }
}

/// Keeps what is secret out of everything that is printed.
enum Redaction {
    /// What stands in a secret's place.
    static let placeholder = "(redacted)"

    /// Whether a header's value is a credential.
    static func isSecret(header name: String) -> Bool {
        switch HeaderText.trimmed(name[...]).lowercased() {
        case "authorization", "proxy-authorization", "cookie", "set-cookie": true
        default: false
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

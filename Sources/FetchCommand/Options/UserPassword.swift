/// A name and a password out of a URL, percent-decoded.
struct UserPassword: Equatable, Sendable {
    let user: String
    /// Nil where the URL has a name alone.
    let password: String?
}

extension UserPassword: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret.
    var description: String { Redaction.placeholder }

    var debugDescription: String { Redaction.placeholder }
}

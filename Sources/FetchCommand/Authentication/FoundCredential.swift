import URLLoading

/// A user and a password, and where they come from.
struct FoundCredential: Equatable, Sendable {
    let user: String
    let password: Secret
    let source: CredentialSource

    /// Whether both say the same, wherever they come from.
    func isSame(as other: FoundCredential) -> Bool {
        user == other.user && password == other.password
    }

    /// What a session sends, and remembers for as long as it lives.
    var forSession: URLCredential {
        URLCredential(user: user, password: password.text, persistence: .forSession)
    }
}

extension FoundCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret, and not the user either: it may be a token.
    var description: String { "\(Redaction.placeholder) of \(source.words)" }
    var debugDescription: String { description }
}

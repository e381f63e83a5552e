import URLLoading

/// Who one is at the origin of a URL.
struct Identity: Equatable, Sendable {
    /// Nobody, as far as the command line says.
    static let none = Identity()

    /// What answers when the server asks; its password may be missing, and is then looked for.
    var credential: UserPassword?
    /// Where that stood.
    var source = CredentialSource.user
    /// The Authorization that goes with the first request, unasked.
    var sentAtOnce: Secret?
    /// The Cookie that goes with it.
    var cookie: Secret?
}

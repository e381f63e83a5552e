import URLLoading

/// Who one is at the origin of a URL.
struct Identity: Equatable, Sendable {
    /// Nobody, as far as the command line says.
    static let none = Identity()

    /// What answers when the server asks; its password may be missing, and is then looked for.
    var credential: UserPassword?
    /// Where that stood.
    var source = CredentialSource.user
    /// Whether neither this nor what is for no one host is sent over plain HTTP, by Basic or NTLM: a
    /// list names the origin, and no flag names the method.
    var isWithheldInClear = false
    /// The Authorization that goes with the first request, unasked.
    var sentAtOnce: Secret?
    /// The Cookie that goes with it.
    var cookie: Secret?
}

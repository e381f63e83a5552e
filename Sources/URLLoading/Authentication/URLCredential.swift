/// A credential, as Foundation's `URLCredential`: a user and a password, a
/// client certificate, or trust in a server.
///
/// It never shows its secrets: it describes itself as `(redacted)`.
public final class URLCredential: Sendable {
    /// The time for which the storage keeps a credential.
    public enum Persistence: UInt, Sendable, Hashable {
        /// For the one request.
        case none = 0
        /// Until the session ends.
        case forSession = 1
        /// In the user's key store.
        case permanent = 2
        /// Foundation's value, for key stores that are synchronized to other machines; here as permanent.
        case synchronizable = 3
    }

    /// The kind of a credential.
    enum Kind: Sendable, Hashable {
        case password(user: ExactText, Secret)
        case identity(URLSessionConfiguration.ClientCertificate, keyPassword: Secret?)
        case trust(ServerTrust)
    }

    let kind: Kind
    /// The time for which the storage keeps the credential.
    public let persistence: Persistence

    init(_ kind: Kind, persistence: Persistence) {
        self.kind = kind
        self.persistence = persistence
    }

    /// A user and a password.
    public convenience init(user: String, password: String, persistence: Persistence) {
        self.init(.password(user: ExactText(user), Secret(password)), persistence: persistence)
    }

    /// A client certificate and its key, in files.
    ///
    /// The files replace Foundation's `SecIdentity`, which key stores on Linux do not have.
    ///
    /// - Parameters:
    ///   - identity: the files.
    ///   - keyPassword: the pass phrase of the key; `nil`: none.
    ///   - persistence: `permanent` has the same effect as `forSession`.
    public convenience init(
        identity: URLSessionConfiguration.ClientCertificate,
        keyPassword: String? = nil,
        persistence: Persistence
    ) {
        self.init(
            .identity(identity, keyPassword: keyPassword.map(Secret.init)),
            persistence: persistence
        )
    }

    /// The credential for a server trust challenge: this server, with this chain, is trusted.
    public convenience init(trust: ServerTrust) {
        self.init(.trust(trust), persistence: .none)
    }

    /// The user; `nil` for another kind of credential.
    public var user: String? {
        if case .password(let user, _) = kind { user.text } else { nil }
    }

    /// The password, in the clear; `nil` where there is none.
    public var password: String? {
        if case .password(_, let password) = kind { password.text } else { nil }
    }

    /// Whether there is a password.
    public var hasPassword: Bool { password != nil }

    /// The client certificate's files; `nil` for another kind of credential.
    public var identity: URLSessionConfiguration.ClientCertificate? {
        if case .identity(let identity, _) = kind { identity } else { nil }
    }

    /// The pass phrase of the client certificate's key, in the clear.
    public var keyPassword: String? {
        if case .identity(_, let password?) = kind { password.text } else { nil }
    }

    /// The trusted server; `nil` for another kind of credential.
    var trust: ServerTrust? {
        if case .trust(let trust) = kind { trust } else { nil }
    }
}

extension URLCredential: Hashable {
    /// Whether both have the same content and persistence.
    public static func == (one: URLCredential, other: URLCredential) -> Bool {
        one.kind == other.kind && one.persistence == other.persistence
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(persistence)
    }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Neither the secret nor the user.
    public var description: String { Secret.placeholder }
    /// Neither the secret nor the user.
    public var debugDescription: String { Secret.placeholder }
    /// Without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

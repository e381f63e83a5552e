import URLLoading

/// Credentials, where they are looked for, and whether the user may be prompted.
struct AuthenticationPlan: Equatable, Sendable {
    /// Where earlier runs have saved passwords.
    enum KeyStore: Equatable, Sendable {
        /// Saved passwords are not used.
        case none
        /// In the user's key store, or in a file if there is none.
        case user
        case session(NamedSession)
    }

    /// `--user` and `--password`; the user is `nil` where only a password was given.
    let user: String?
    let password: Secret?
    let method: AuthenticationChoice
    /// Whether the Kerberos ticket at hand is the credential: `--user :`.
    var isTicket = false
    let bearer: Secret?
    let netrc: NetrcChoice
    /// The netrc entries for first requests: with a chosen method, no server need ask.
    var netrcAtOnce: NetrcFile.Content?
    let asking: AskingChoice
    /// The program that asks in the terminal's place.
    let askpass: String?
    let keyStore: KeyStore
    let saves: Bool
    /// Whether the run only deletes saved credentials.
    let forgets: Bool
}

extension AuthenticationPlan.KeyStore {
    /// Opens the store.
    ///
    /// The user may be asked to unlock it if `mayAsk`; nil: there is none.
    func open(mayAsk: Bool) -> (any CredentialStore)? {
        switch self {
        case .none: nil
        case .user: FallbackCredentialStore.system(mayAsk: mayAsk)
        case .session(let session): session.credentialStore()
        }
    }
}

extension AuthenticationPlan {
    /// A warning about the `.netrc` whose password is sent without a challenge; `nil`: none.
    var netrcWarning: String? {
        guard let warning = netrcAtOnce?.warning else { return nil }
        let path =
            if case .named(let path, _) = netrc { path } else { NetrcFile()?.path ?? ".netrc" }
        return "\(path): \(warning)"
    }

    /// Whether a challenge of this method may get a credential.
    func allows(_ method: String) -> Bool {
        switch self.method {
        case .any: true
        case .basic: method == NSURLAuthenticationMethodHTTPBasic
        case .digest: method == NSURLAuthenticationMethodHTTPDigest
        case .ntlm: method == NSURLAuthenticationMethodNTLM
        case .negotiate: method == NSURLAuthenticationMethodNegotiate
        }
    }

    /// Which servers receive a Kerberos ticket.
    ///
    /// - Parameters:
    ///   - hosts: those of `--negotiate-to`.
    ///   - urls: the command line's: with `--auth negotiate`, their servers receive the ticket.
    /// - Returns: the hosts, and whether the user's own realm counts.
    func ticketUse(
        _ hosts: [String],
        _ urls: [WebAddress]
    ) -> URLSessionConfiguration.TicketUse {
        var use = URLSessionConfiguration.TicketUse()
        guard allows(NSURLAuthenticationMethodNegotiate) else {
            use.includesOwnRealm = false
            return use
        }
        use.hosts = hosts
        if isTicket || method == .negotiate {
            use.hosts += urls.filter { !$0.isLocal }.map(\.host)
        }
        return use
    }

    /// The credentials for a URL's origin.
    ///
    /// - Parameters:
    ///   - address: the URL.
    ///   - home: the origin of the first URL, to which a bearer token belongs.
    /// - Returns: the credential of `--user`, or else the URL's own, and what is sent without a
    ///   challenge.
    /// - Throws: where they cannot be sent, or do not go with the other flags.
    func identity(at address: WebAddress, home: Origin?) throws(PlanError) -> Identity {
        var identity = Identity()
        if let bearer, address.origin == home {
            identity.sentAtOnce = try Self.checked("--bearer") { () throws(CredentialError) in
                Secret(try BearerAuthentication.field(token: bearer))
            }
        }
        if let user {
            identity.credential = UserPassword(user: user, password: password?.text)
        } else if let inURL = address.credential {
            identity.source = .url
            identity.credential = UserPassword(
                user: inURL.user,
                password: password?.text ?? inURL.password
            )
            if asking == .always, inURL.password != nil {
                throw .usage(
                    .conflict(
                        "--ask-password",
                        "a password in a URL",
                        reason: "only one password can be used"
                    )
                )
            }
        } else if password != nil {
            throw .usage(
                .invalidValue(
                    flag: "--password",
                    value: nil,
                    reason: "the password has no user name",
                    hint: "give the user with --user NAME"
                )
            )
        }
        if identity.credential?.password == nil, !saves,
            let found = inNetrc(at: address, home, user: identity.credential?.user)
        {
            identity.credential = found
            identity.source = .netrc
        }
        // Credentials are saved for a realm, which the server has to name.
        if method == .basic, !saves, let credential = identity.credential,
            let password = credential.password
        {
            let flag = identity.source == .url ? "the user in the URL" : identity.source.words
            identity.sentAtOnce = try Self.checked(flag) { () throws(CredentialError) in
                Secret(
                    try BasicAuthentication.field(user: credential.user, password: Secret(password))
                )
            }
        }
        return identity
    }

    /// The user and password of a `.netrc` that are sent without a challenge.
    private func inNetrc(at address: WebAddress, _ home: Origin?, user: String?) -> UserPassword? {
        guard let entry = netrcAtOnce?.netrc.entry(for: address.host, login: user),
            // An entry for every host applies to the command line's own origin.
            entry.machine != nil || address.origin == home, let password = entry.password
        else { return nil }
        return UserPassword(user: entry.login ?? user ?? "", password: password.text)
    }

    private static func checked(
        _ flag: String,
        _ make: () throws(CredentialError) -> Secret
    ) throws(PlanError) -> Secret {
        do throws(CredentialError) {
            return try make()
        } catch {
            throw .usage(.invalidValue(flag: flag, value: nil, reason: "\(error)", hint: nil))
        }
    }
}

/// Which `.netrc` is read.
enum NetrcChoice: Equatable, Sendable {
    case none
    /// The user's own, read when the first server asks.
    case usual
    /// The one that the command line names, already read.
    case named(path: String, NetrcFile.Content)
}

/// The credentials for the origin of a URL.
struct Identity: Equatable, Sendable {
    /// No credentials on the command line.
    static let none = Identity()

    /// The credential for a challenge.
    ///
    /// A missing password is searched for.
    var credential: UserPassword?
    /// The source of the credential.
    var source = CredentialSource.user
    /// Whether neither the credential nor an entry for every host is sent over plain HTTP, by Basic
    /// or NTLM.
    ///
    /// So it is if a list names the origin, and no flag names the method.
    var isWithheldInClear = false
    /// The Authorization of the first request, without a challenge.
    var sentAtOnce: Secret?
    /// The Cookie of the first request.
    var cookie: Secret?
}

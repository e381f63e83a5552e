import SystemPackage
import URLLoading

/// The credentials of the command line, the sources to search, and whether to prompt the user.
struct AuthenticationPlan: Equatable, Sendable {
    /// The store with the passwords that earlier runs have saved.
    enum KeyStore: Equatable, Sendable {
        case none
        /// The user's key store, or a file if there is no key store.
        case user
        case session(NamedSession)

        /// Opens the store, if any; `mayAsk`: the user may be prompted to unlock it.
        func open(mayAsk: Bool) -> (any CredentialStore)? {
            switch self {
            case .none: nil
            case .user: FallbackCredentialStore.system(mayAsk: mayAsk)
            case .session(let session): session.credentialStore()
            }
        }
    }

    /// `--user` and `--password`; the user is `nil` where only a password was given.
    var user: String?
    var password: Secret?
    let method: AuthenticationChoice
    /// Whether the user's Kerberos ticket is the credential: `--user :`.
    var isTicket = false
    let bearer: Secret?
    let netrc: NetrcChoice
    /// Entries of `.netrc` for the first request; `nil` unless `--auth basic` sends them at once.
    var netrcAtOnce: NetrcFile.Content?
    let promptPolicy: PromptPolicy
    let askpass: String?
    let keyStore: KeyStore
    let saves: Bool
    /// Whether the run only deletes saved credentials.
    let forgets: Bool

    /// A warning about the `.netrc` whose password is sent before a challenge; `nil`: none.
    var netrcWarning: String? {
        netrcAtOnce?.warning.map { "\(netrc.path ?? ".netrc"): \($0)" }
    }

    /// Whether `--auth` permits a credential for a challenge of this method.
    func allows(_ method: String) -> Bool {
        self.method == .any
            || AuthenticationMethod.name(method)?.asciiLowercased == self.method.rawValue
    }

    /// The servers that receive a Kerberos ticket; with `--auth negotiate`, also the URLs' hosts.
    func ticketUse(_ hosts: [String], _ urls: [WebAddress]) -> URLSessionConfiguration.TicketUse {
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

    /// The credential for a URL's origin: that of `--user`, or else the URL's own.
    ///
    /// A bearer token belongs to the first URL's origin. `isNamed` is `false` for an origin that
    /// only a list names. Throws if a credential cannot be sent, or conflicts with other flags.
    func identity(
        at address: WebAddress,
        firstOrigin: Origin?,
        isNamed: Bool = true
    ) throws(UsageError) -> Identity {
        var identity = Identity()
        if let bearer, address.origin == firstOrigin {
            identity.sentAtOnce = try mapError(Secret(BearerAuthentication.field(token: bearer))) {
                (error: CredentialError) in
                UsageError.invalidValue(flag: "--bearer", reason: "\(error)")
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
            if promptPolicy == .always, inURL.password != nil {
                throw .conflict(
                    "--ask-password",
                    "a password in a URL",
                    reason: "only one password can be used"
                )
            }
        } else if password != nil {
            throw .invalidValue(
                flag: "--password",
                reason: "the password has no user name",
                hint: "give the user with --user NAME"
            )
        }
        if identity.credential?.password == nil, !saves,
            let found = netrcAtOnce?.netrc.credential(
                at: address.host,
                user: identity.credential?.user,
                usesDefault: isNamed && address.origin == firstOrigin
            )
        {
            identity.credential = UserPassword(user: found.user, password: found.password.text)
            identity.source = found.source
        }
        // `--save-credentials` needs the realm, which only a challenge names.
        if method == .basic, !saves, let credential = identity.credential,
            let password = credential.password
        {
            let flag = identity.source == .url ? "the user in the URL" : identity.source.words
            identity.sentAtOnce = try mapError(
                Secret(BasicAuthentication.field(user: credential.user, password: Secret(password)))
            ) { (error: CredentialError) in
                UsageError.invalidValue(flag: flag, reason: "\(error)")
            }
        }
        return identity
    }
}

enum NetrcChoice: Equatable, Sendable {
    case none
    /// The user's own file, read at the first challenge.
    case usual
    /// The file of `--netrc-file`, already read.
    case named(path: String, NetrcFile.Content)

    var path: String? {
        switch self {
        case .none: nil
        case .usual: NetrcFile()?.path
        case .named(let path, _): path
        }
    }

    /// The file's content; `nil` if there is no file.
    func read() throws(NetrcFile.Failure) -> NetrcFile.Content? {
        switch self {
        case .none: nil
        case .usual: try NetrcFile()?.read()
        case .named(_, let content): content
        }
    }
}

extension Netrc {
    /// The user and password for a host; `usesDefault`: also from an entry for every host.
    ///
    /// An entry without a login serves the user in question, or else an empty user, as in curl.
    func credential(at host: String, user: String?, usesDefault: Bool) -> FoundCredential? {
        guard let entry = entry(for: host, login: user), entry.machine != nil || usesDefault,
            let password = entry.password
        else { return nil }
        return FoundCredential(user: entry.login ?? user ?? "", password: password, source: .netrc)
    }
}

/// The credentials for the origin of a URL.
struct Identity: Equatable, Sendable {
    /// For an origin for which the command line has no credentials.
    static let none = Identity()

    /// The credential for a challenge; a missing password is searched for.
    var credential: UserPassword?
    var source = CredentialSource.user
    /// Whether Basic and NTLM over plain HTTP get neither this credential nor a `default` entry.
    ///
    /// This is so if a list names the origin, and no flag names the method.
    var isWithheldInClear = false
    /// The Authorization field of the first request, sent before a challenge.
    var sentAtOnce: Secret?
    var cookie: Secret?
}

extension AuthenticationPlan {
    /// Validates the flags, and reads the secrets from their files, variables or descriptors.
    init(_ options: Options) throws(UsageError) {
        let given = try options.user?.read("--user").text
        isTicket =
            given == ":" && [.any, .negotiate].contains(options.authentication)
            && options.password == nil
        let pair = isTicket ? nil : given
        let parts = pair?[...].split(atFirst: UInt8(ascii: ":"))
        let user = parts.map { String($0.before) } ?? pair
        if let user, user.isEmpty {
            throw .invalidValue(flag: "--user", reason: "the name is missing")
        }
        let inPair = parts.map { Secret(String($0.after)) }
        let alone = try options.password?.read("--password")
        if inPair != nil, alone != nil {
            throw .conflict(
                "--password",
                "--user NAME:PASSWORD",
                reason: "only one password can be used"
            )
        }
        self.user = user
        password = inPair ?? alone
        if options.promptPolicy == .always, inPair != nil || alone != nil {
            let flag = alone == nil ? "--user NAME:PASSWORD" : "--password"
            throw .conflict("--ask-password", flag, reason: "the password is already given")
        }
        bearer = try options.bearer?.read("--bearer")
        method = options.authentication
        promptPolicy = options.promptPolicy
        askpass = try Self.askpass(options)
        if promptPolicy == .always, askpass == nil, !TerminalPrompt.exists {
            throw .invalidValue(
                flag: "--ask-password",
                reason: "there is no terminal for the prompt",
                hint: "--use-askpass CMD asks with a program; --password @FILE reads a file"
            )
        }
        netrc = try Self.netrc(options)
        // For a background session, the transfer process reads the netrc file itself.
        let isAtOnce = options.sendsNetrcAtOnce || options.given.contains("--auth")
        if method == .basic, isAtOnce, promptPolicy != .always, bearer == nil, !options.background {
            // An unreadable `.netrc` is reported only when a server sends a challenge.
            netrcAtOnce = try? netrc.read()
        }
        keyStore =
            if let session = options.session.named {
                .session(session)
            } else if options.savesCredentials || options.forgetsCredentials {
                .user
            } else {
                .none
            }
        saves = options.savesCredentials
        forgets = options.forgetsCredentials
    }

    private static func askpass(_ options: Options) throws(UsageError) -> String? {
        guard let program = options.askpass else { return nil }
        if !program.isEmpty { return program }
        for name in ["WGET_ASKPASS", "SSH_ASKPASS"] {
            if let value = Environment.value(of: name), !value.isEmpty { return value }
        }
        throw .invalidValue(
            flag: "--use-askpass",
            reason: "neither WGET_ASKPASS nor SSH_ASKPASS names a program",
            hint: "use --use-askpass CMD"
        )
    }

    private static func netrc(_ options: Options) throws(UsageError) -> NetrcChoice {
        if options.ignoresNetrc { return .none }
        guard let path = options.netrcFile, let file = NetrcFile(named: path) else { return .usual }
        let content = try mapError(file.read()) { (error: NetrcFile.Failure) in
            let reason = if case .unreadable(let errno) = error { "\(errno)" } else { "\(error)" }
            return UsageError.file(path: path, reason)
        }
        guard let content else { throw .file(path: path, "\(Errno.noSuchFileOrDirectory)") }
        return .named(path: path, content)
    }
}

import SystemPackage
import URLLoading

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
            netrcAtOnce = Self.content(of: netrc)
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
            if let value = Environment.value(of: name), !value.isEmpty {
                return value
            }
        }
        throw .invalidValue(
            flag: "--use-askpass",
            reason: "neither WGET_ASKPASS nor SSH_ASKPASS names a program",
            hint: "use --use-askpass CMD"
        )
    }

    /// The file's content.
    ///
    /// An unreadable `.netrc` of the user is reported only when a server sends a challenge.
    private static func content(of choice: NetrcChoice) -> NetrcFile.Content? {
        switch choice {
        case .none: nil
        case .named(_, let content): content
        case .usual: try? NetrcFile()?.read()
        }
    }

    private static func netrc(_ options: Options) throws(UsageError) -> NetrcChoice {
        if options.ignoresNetrc { return .none }
        guard let path = options.netrcFile, let file = NetrcFile(named: path) else { return .usual }
        do throws(NetrcFile.Failure) {
            if let content = try file.read() { return .named(path: path, content) }
        } catch {
            guard case .unreadable(let errno) = error else {
                throw .file(path: path, .invalid("\(error)"))
            }
            throw .file(path: path, .system(errno))
        }
        throw .file(path: path, .system(.noSuchFileOrDirectory))
    }
}

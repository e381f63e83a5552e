import URLLoading

extension Flags {
    /// What one run leaves for the next.
    static let sessions: [Flag] = [
        Flag(
            ["--session"],
            value: "NAME",
            excludes: [
                .init("--save-cookies", because: "cookies are kept in one place")
            ],
            background: .hasOwnCookies,
            section: .session,
            help: "use the session NAME: its cookies, its cache and its saved credentials",
            details: """
                Without this flag cookies live as long as the run, and nothing that one run has \
                learnt is sent by the next. With it they are in `fetch/sessions/NAME` in \
                `$XDG_STATE_HOME`, or `~/.local/state`, for you alone, and so are the cookies that \
                would end with a browser's session, and what --save-credentials keeps; responses are \
                in the same folder in `$XDG_CACHE_HOME`. The first run makes it, and several may use \
                it at once. NAME has letters, digits, -, _ and a point, 64 at most.
                """
        ) { options, value throws(UsageError) in
            options.session.named = try value.session()
        },
        Flag(
            ["--session-list"],
            background: .isOfForeground,
            section: .session,
            help: "list the sessions of --session, and what each has saved"
        ) { options throws(UsageError) in
            try options.take(.list)
        },
        Flag(
            ["--session-remove"],
            value: "NAME",
            background: .isOfForeground,
            section: .session,
            help: "delete the session NAME"
        ) { options, value throws(UsageError) in
            try options.take(.remove(try value.session()))
        },
        Flag(
            ["--ephemeral"],
            excludes: [
                .init(
                    "--session",
                    "--save-cookies",
                    "--save-credentials",
                    "--clear-cache",
                    because: "nothing is kept then"
                )
            ],
            background: .hasOwnCookies,
            section: .session,
            help: "save nothing but the file; all else is kept in memory, and forgotten",
            details: """
                Which hosts want TLS is neither read from earlier runs nor kept for later ones, and \
                neither are responses.
                """
        ) { $0.session.isEphemeral = true },
    ]
}

extension FlagValue {
    /// The name of a session that lasts.
    fileprivate func session() throws(UsageError) -> NamedSession {
        guard NamedSession.isPossible else {
            throw invalid("cannot be kept: neither XDG_STATE_HOME nor HOME names a folder")
        }
        guard let session = NamedSession(text) else {
            throw invalid(
                "is no session's name",
                hint: "a name begins with a letter or a digit, and has these, '-', '_' and '.',"
                    + " \(NamedSession.longestName) at most"
            )
        }
        return session
    }
}

extension Options {
    /// Takes what is wanted of sessions: one thing.
    fileprivate mutating func take(_ order: SessionOrder) throws(UsageError) {
        if let other = sessionOrder, other.flag != order.flag {
            throw .conflict(other.flag, order.flag, reason: "one of them at a time")
        }
        sessionOrder = order
    }
}

/// What is wanted of the sessions that last, in the place of fetching anything.
enum SessionOrder: Equatable, Sendable {
    case list
    case remove(NamedSession)

    /// The flag that asks for it.
    var flag: String {
        switch self {
        case .list: "--session-list"
        case .remove: "--session-remove"
        }
    }

    /// Carries it out.
    func run(_ printer: Printer = .errorsOnly) -> ProcessExit {
        switch self {
        case .list: FetchCommand.print(NamedSession.all().map(Self.line).joined())
        case .remove(let session): Self.remove(session, printer)
        }
    }

    private static func remove(_ session: NamedSession, _ printer: Printer) -> ProcessExit {
        guard session.isThere else {
            printer.error(
                "--session-remove: there is no session \(session.name)",
                hint: "--session-list shows those there are"
            )
            return .status(.failure)
        }
        do throws(PrivateFileError) {
            try session.remove()
            return .status(.success)
        } catch {
            printer.error("--session-remove: \(Printable.text("\(error)"))")
            return .status(.fileIO)
        }
    }

    /// A session and how much is kept of it.
    private static func line(_ session: NamedSession) -> String {
        let cookies = session.cookieStorage().cookies?.count ?? 0
        let credentials = (try? session.credentialStore()?.allCredentials().count) ?? 0
        let bytes = session.cache().currentDiskUsage
        let parts = [
            count(cookies, "cookie"), count(credentials, "password"),
            bytes > 0 ? "\(ByteText.size(Int64(bytes))) of responses" : nil,
        ].compactMap(\.self)
        return "\(session.name): \(parts.isEmpty ? "empty" : parts.joined(separator: ", "))\n"
    }

    private static func count(_ number: Int, _ noun: String) -> String? {
        number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

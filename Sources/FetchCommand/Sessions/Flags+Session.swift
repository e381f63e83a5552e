import URLLoading

extension Flags {
    /// Flags for time limits and rates.
    static let session: [Flag] = [
        Flag(
            ["--timeout", "-T", "--read-timeout"],
            value: "SECONDS",
            help: "give up after SECONDS without data (60); 0 is never",
            details: """
                The clock starts again with every byte in either direction. It is stopped while \
                the body to send has nothing ready. A duration may have a unit: 500ms, 10s, 2m, \
                1h, 1d.
                """
        ) { options, value in
            do throws(UsageError) {
                options.session.settings.timeoutForRequest = try value.timeout()
            } catch .invalidValue(let flag, let text, let reason, _) where flag == "-T" {
                throw UsageError.invalidValue(
                    flag: flag,
                    value: text,
                    reason: reason,
                    hint: "-T is wget's time-out: 10 or 0.5; to send a file: --upload-file FILE"
                )
            }
        },
        Flag(
            ["--connect-timeout"],
            value: "SECONDS",
            help: "give up connecting after SECONDS",
            details: """
                Looking the name up, connecting and the handshake of TLS count together. Without \
                this flag, or with 0, the time-out of --timeout decides.
                """
        ) { options, value in
            let timeout = try value.timeout()
            options.transport.connectTimeout = timeout < .infinity ? timeout : nil
        },
        Flag(
            ["--max-time", "-m"],
            value: "SECONDS",
            help: "give up a task after SECONDS in total; 0 is never",
            details: "Redirects do not start it again. The exit status is 124."
        ) { $0.session.settings.timeoutForResource = try $1.timeout() },
        Flag(
            ["--max-connections-per-host"],
            value: "N",
            help: "open at most N connections to one host (6)",
            details: "Further requests wait, or share a connection over HTTP/2."
        ) { $0.session.maximumConnectionsPerHost = try $1.integer(in: 1...1_000) },
        Flag(
            ["--limit-rate"],
            value: "RATE",
            help: "receive and send at most RATE bytes a second, as in 100k or 1.5M",
            details: """
                The limit is for all URLs together. k, M, G and T are powers of 1024. 0 is no limit.
                """
        ) { $0.transport.maximumBytesPerSecond = try $1.byteSize() ?? 0 },
    ]
}

extension Flags {
    static let sessions: [Flag] = [
        Flag(
            ["--session"],
            value: "NAME",
            excludes: .init("--save-cookies", because: "cookies are kept in one place"),
            background: .hasOwnCookies,
            help: "use the session NAME: its cookies, its cache and its saved credentials",
            details: """
                Without this flag, cookies last for the run, and the next run sends nothing of \
                them. With it, they are saved in `fetch/sessions/NAME` in `$XDG_STATE_HOME`, or \
                in `~/.local/state`, readable only by you. So are session cookies, and the \
                credentials of --save-credentials. Responses are in the same folder in \
                `$XDG_CACHE_HOME`. The first run creates the session, and several runs may use \
                it at once. NAME has at most 64 letters, digits, -, _ and points.
                """
        ) { $0.session.named = try $1.session() },
        Flag(
            ["--session-list"],
            background: .isOfForeground,
            help: "list the sessions of --session, and what each has saved"
        ) { try $0.take(.list) },
        Flag(
            ["--session-remove"],
            value: "NAME",
            background: .isOfForeground,
            help: "delete the session NAME"
        ) { try $0.take(.remove(try $1.session())) },
        Flag(
            ["--ephemeral"],
            excludes: .init(
                "--session",
                "--save-cookies",
                "--save-credentials",
                "--clear-cache",
                because: "nothing is saved then"
            ),
            background: .hasOwnCookies,
            help: "save nothing but the file; keep all else in memory",
            details: """
                Everything else is kept in memory and forgotten. Hosts that require TLS, and \
                cached responses, are neither read from earlier runs nor saved for later ones.
                """
        ) { $0.session.isEphemeral = true },
    ]
}

extension FlagValue {
    fileprivate func session() throws(UsageError) -> NamedSession {
        guard NamedSession.isPossible else {
            throw invalid("cannot be kept: neither XDG_STATE_HOME nor HOME names a folder")
        }
        guard let session = NamedSession(text) else {
            throw invalid(
                "is not a session name",
                hint: "a name begins with a letter or a digit, contains only letters, digits, '-',"
                    + " '_' and '.', and has at most \(NamedSession.maximumNameLength) characters"
            )
        }
        return session
    }
}

extension Options {
    fileprivate mutating func take(_ order: SessionOrder) throws(UsageError) {
        if let other = sessionOrder, other.flag != order.flag {
            throw .conflict(other.flag, order.flag, reason: "only one of them can be given")
        }
        sessionOrder = order
    }
}

/// An order about named sessions, in place of fetching.
enum SessionOrder: Equatable, Sendable {
    case list
    case remove(NamedSession)

    var flag: String {
        switch self {
        case .list: "--session-list"
        case .remove: "--session-remove"
        }
    }

    func run() -> ProcessExit {
        switch self {
        case .list: FetchCommand.print(NamedSession.all().map(Self.line).joined())
        case .remove(let session): Self.remove(session)
        }
    }

    private static func remove(_ session: NamedSession) -> ProcessExit {
        guard session.exists else {
            Printer.errorsOnly.error(
                "--session-remove: there is no session \(session.name)",
                hint: "--session-list lists the sessions"
            )
            return .status(.failure)
        }
        do throws(PrivateFileError) {
            try session.remove()
            return .status(.success)
        } catch {
            Printer.errorsOnly.error("--session-remove: \(Printable.text("\(error)"))")
            return .status(.fileIO)
        }
    }

    /// One session and the amount of its stored data, as a line.
    private static func line(_ session: NamedSession) -> String {
        let cookies = session.cookieStorage().cookies?.count ?? 0
        let credentials = (try? session.credentialStore()?.allCredentials().count) ?? 0
        let bytes = session.cache().currentDiskUsage
        var parts: [String] = []
        if cookies > 0 { parts.append(ByteText.count(cookies, "cookie")) }
        if credentials > 0 { parts.append(ByteText.count(credentials, "password")) }
        if bytes > 0 { parts.append("\(ByteText.size(Int64(bytes))) of responses") }
        return "\(session.name): \(parts.isEmpty ? "empty" : parts.joined(separator: ", "))\n"
    }
}

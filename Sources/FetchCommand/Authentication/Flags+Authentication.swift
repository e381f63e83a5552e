import URLLoading

extension Flags {
    /// Credentials, and the servers that may have them.
    static let authentication: [Flag] = [
        Flag(
            ["--user", "-u", "--http-user"],
            value: "NAME[:PASSWORD]",
            orders: .attach,
            reads: .init { [$0.user?.path] },
            secret: .userPassword,
            section: .authentication,
            help: "log in as NAME, at the origin of each URL, when its server asks",
            details: """
                Goes before the user and password in a URL. Neither ever goes to another origin, \
                whatever redirects say. A NAME alone has its password looked for and asked like any \
                other. Instead of the text, @FILE takes the first line of FILE (@- of standard \
                input), env:NAME the environment variable NAME, and fd:N the next line of \
                descriptor N: other users can see what stands on a command line. What stands there \
                is hidden as soon as it was read, with a warning. An empty NAME and PASSWORD, `:`, \
                stand for the Kerberos ticket at hand, as --auth negotiate does.
                """
        ) { options, value throws(UsageError) in
            options.user = try SecretSource(value)
        },
        Flag(
            ["--password", "--http-password", "--http-passwd"],
            value: "PASSWORD",
            orders: .attach,
            reads: .init { [$0.password?.path] },
            secret: .value,
            section: .authentication,
            help: "log in with PASSWORD; also @FILE, env:NAME or fd:N",
            details: "It belongs to the NAME of --user, or to the one in the URL."
        ) { options, value throws(UsageError) in
            options.password = try SecretSource(value)
        },
        Flag(
            ["--ask-password"],
            background: .asksLater,
            orders: .attach,
            section: .authentication,
            help: "ask for the password, and ignore all other sources",
            details: """
                It is asked on the terminal, which there has to be, or by the CMD of --use-askpass, \
                once the server wants it. Without this flag that happens where nothing else has a \
                password, and there is a terminal.
                """
        ) { $0.asking = .always },
        Flag(
            ["--no-ask-password"],
            orders: .attach,
            section: .authentication,
            help: "never ask for a user or a password"
        ) { $0.asking = .never },
        Flag(
            ["--use-askpass"],
            value: "CMD",
            kind: .file,
            background: .asksLater,
            orders: .attach,
            section: .authentication,
            help: "run CMD to ask for user and password, instead of the terminal",
            details: """
                CMD is a program; it gets the question as its one argument, and prints the answer as \
                a line. If it fails, there is no answer. An empty CMD is the one that WGET_ASKPASS or \
                else SSH_ASKPASS names.
                """
        ) { options, value throws(UsageError) in
            guard !value.text.utf8.contains(0) else { throw value.invalid("contains a NUL") }
            options.askpass = value.text
        },
        Flag(
            ["--auth"],
            value: "METHOD",
            kind: .choice(AuthenticationChoice.allCases.map(\.rawValue)),
            orders: .attach,
            section: .authentication,
            help: "log in by METHOD only: any, basic, digest, ntlm or negotiate",
            details: """
                With any, the best is taken that the server offers. With basic, a user and password \
                of --user or of the URL are sent at once, as curl does; all else waits until the \
                server asks, so that a password never leaves in the clear where there is a better \
                way. Offers of other methods are passed over. With any and with negotiate, servers of \
                your own Kerberos realm are shown your ticket when they ask for it; with negotiate the \
                hosts of the URLs are, too, and those of --negotiate-to always. After a redirect to \
                another origin nothing of yours is sent over plain HTTP, but what you are asked for \
                and then give.
                """
        ) { options, value throws(UsageError) in
            options.authentication = try value.choice(AuthenticationChoice.self)
        },
        Flag(
            ["--negotiate-to"],
            value: "HOST",
            repeats: true,
            section: .authentication,
            help: "send your Kerberos ticket to HOST, or to all hosts below .DOMAIN, when it asks",
            details: """
                A ticket proves your identity, and is for hosts of your own realm unless this names others: \
                those in the realm's domain, and those that `[domain_realm]` in krb5.conf counts to it. \
                The realm is that of the ticket, or else `default_realm`.
                """
        ) { options, value throws(UsageError) in
            let host =
                value.text.utf8.first == UInt8(ascii: ".")
                ? String(Substring(value.text.utf8.dropFirst())) : value.text
            guard HostName.isValid(host), host.utf8.first != UInt8(ascii: ".") else {
                throw value.invalid("is not a host", hint: "HOST, or .DOMAIN for all below it")
            }
            options.negotiateHosts.append(value.text)
        },
        Flag(
            ["--bearer", "--oauth2-bearer"],
            value: "TOKEN",
            excludes: [
                .init("--user", "--password", because: "a token stands for a user")
            ],
            reads: .init { [$0.bearer?.path] },
            secret: .value,
            section: .authentication,
            help: "send a bearer token; also @FILE, env:NAME or fd:N",
            details: "It is for the origin of the first URL, and goes to no other."
        ) { options, value throws(UsageError) in
            options.bearer = try SecretSource(value)
        },
        Flag(
            ["--netrc-file"],
            value: "FILE",
            kind: .file,
            orders: .attach,
            reads: .init { [$0.netrcFile] },
            section: .authentication,
            help: "read users and passwords from FILE instead of ~/.netrc",
            details: """
                Entries count for the host that asks; after a redirect to another origin only over TLS. \
                default counts for the origins of the URLs alone. Without this flag the file is the one that NETRC names, or \
                ~/.netrc. There is a warning where others can read it.
                """
        ) { options, value throws(UsageError) in
            options.netrcFile = try value.path()
            options.ignoresNetrc = false
        },
        Flag(
            ["--no-netrc"],
            orders: .attach,
            section: .authentication,
            help: "do not read .netrc"
        ) {
            $0.netrcFile = nil
            $0.ignoresNetrc = true
        },
        Flag(
            ["--save-credentials"],
            excludes: [
                .init(
                    "--forget-credentials",
                    because: "nothing is fetched where something is forgotten"
                )
            ],
            background: .keepsNoPassword,
            section: .authentication,
            help: "use saved credentials, and save those that a server accepts",
            details: """
                They go into the key store (the Secret Service), or where none answers into a file \
                that only you can read, and are used by a later run with this flag when the same \
                server asks for the same realm by the same method. With --session they are in the \
                session's folder, and its later runs use them without this flag. Nothing is kept \
                that was not accepted.
                """
        ) { $0.savesCredentials = true },
        Flag(
            ["--forget-credentials"],
            background: .keepsNoPassword,
            section: .authentication,
            help: "delete the saved credentials for the hosts of the URLs, and fetch nothing",
            details: "With a NAME in --user, or in the URL, only what was kept of that user."
        ) { $0.forgetsCredentials = true },
        Flag(
            ["--secret-header"],
            value: "NAME",
            repeats: true,
            section: .authentication,
            help: "treat the header NAME as a credential",
            details: """
                As Authorization and Cookie, it is not sent to another origin after a redirect, and \
                its value is not printed.
                """
        ) { options, value throws(UsageError) in
            guard HTTPToken.isToken(value.text) else {
                throw value.invalid("is not a header name")
            }
            options.transport.secretHeaders.append(value.text)
        },
    ]

    /// What a request's body takes to be sent again.
    static let spool: [Flag] = [
        Flag(
            ["--spool-limit"],
            value: "SIZE",
            kind: .byteSize,
            section: .task,
            help: "keep at most SIZE of a piped body, to send it again (1G; 0 keeps nothing)",
            details: """
                A body from standard input or a pipe can be read once, and may be wanted again: after \
                a redirect, or when the server asks for credentials. So it is kept while it is sent, up \
                to 1 MiB in memory and then in a temporary file without a name, in the folder TMPDIR. \
                Where it was longer than SIZE and is wanted again, the exit status is 13.
                """
        ) { options, value throws(UsageError) in
            options.session.spoolLimit = try value.byteSize(zero: "0 keeps nothing") ?? 0
        }
    ]
}

/// When a person is asked for a user and a password.
enum AskingChoice: Sendable {
    /// Where no other source has them, and there is a terminal or a program to ask by.
    case ifNeeded
    /// `--ask-password`: before anything is looked for.
    case always
    /// `--no-ask-password`
    case never
}

/// By which methods credentials may be sent: `--auth`.
enum AuthenticationChoice: String, CaseIterable, Sendable {
    /// The best that the server offers.
    case any
    case basic
    case digest
    case ntlm
    case negotiate
}

extension Conflicts {
    /// One is one person, and says so in one way.
    static func checkAuthentication(_ options: Options) throws(UsageError) {
        if options.bearer != nil, options.authentication != .any {
            throw .conflict("--bearer", "--auth", reason: "a token is a method of its own")
        }
        if !options.negotiateHosts.isEmpty, ![.any, .negotiate].contains(options.authentication) {
            throw .conflict(
                "--negotiate-to",
                "--auth \(options.authentication.rawValue)",
                reason: "a ticket is for the method negotiate"
            )
        }
    }
}

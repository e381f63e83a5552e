import URLLoading

extension Flags {
    static let authentication: [Flag] = [
        Flag(
            ["--user", "-u", "--http-user"],
            value: "NAME[:PASSWORD]",
            orders: .attach,
            reads: .init { [$0.user?.path] },
            secret: .userPassword,
            help: "log in as NAME, at the origin of each URL, when its server asks",
            details: """
                NAME takes precedence over the user and password in a URL. Neither is ever sent \
                to another origin, wherever redirects lead. For a NAME without a password, the \
                password is looked up or asked for. Instead of the text itself, @FILE takes the \
                first line of FILE (@- of standard input), env:NAME takes the environment \
                variable NAME, and fd:N takes the next line of descriptor N. Other users can see \
                the command line. A password there is hidden as soon as it is read, and a \
                warning is printed. An empty NAME and PASSWORD, `:`, mean the Kerberos \
                ticket, as with --auth negotiate.
                """
        ) { $0.user = try SecretSource($1) },
        Flag(
            ["--password", "--http-password", "--http-passwd"],
            value: "PASSWORD",
            orders: .attach,
            reads: .init { [$0.password?.path] },
            secret: .value,
            help: "log in with PASSWORD; also @FILE, env:NAME or fd:N",
            details: "It belongs to the NAME of --user, or to the user in the URL."
        ) { $0.password = try SecretSource($1) },
        Flag(
            ["--ask-password"],
            background: .asksLater,
            orders: .attach,
            help: "ask for the password, and ignore all other sources",
            details: """
                The question is asked on the terminal, which must exist, or by the CMD of \
                --use-askpass, when the server requires it. Without this flag, fetch asks only \
                if no other source has a password, and if there is a terminal.
                """
        ) { $0.promptPolicy = .always },
        Flag(
            ["--no-ask-password"],
            orders: .attach,
            help: "never ask for a user or a password"
        ) { $0.promptPolicy = .never },
        Flag(
            ["--use-askpass"],
            value: "CMD",
            background: .asksLater,
            orders: .attach,
            help: "run CMD to ask for user and password, instead of the terminal",
            details: """
                CMD is a program. It receives the question as its only argument, and prints the \
                reply as one line. If it fails, there is no reply. An empty CMD is the one in \
                WGET_ASKPASS, or else in SSH_ASKPASS.
                """
        ) { options, value in
            guard !value.text.utf8.contains(0) else { throw value.invalid("contains a NUL") }
            options.askpass = value.text
        },
        Flag(
            ["--auth"],
            value: "METHOD",
            kind: .choice(AuthenticationChoice.allCases.map(\.rawValue)),
            orders: .attach,
            help: "log in by METHOD only: any, basic, digest, ntlm or negotiate",
            details: """
                With any, the best method that the server offers is used. With basic, the user \
                and password of --user, of the URL or of .netrc are sent at once, as curl does. \
                All other methods wait until the server asks, so that a password is never sent unencrypted \
                if there is a better way. Offers of other methods are ignored. With any and with \
                negotiate, servers of your own Kerberos realm receive your ticket when they ask \
                for it. With negotiate, the hosts of the URLs do too. Hosts of --negotiate-to \
                always do. After a redirect to another origin, nothing is sent over plain HTTP, \
                except what you enter when asked.
                """
        ) { $0.authentication = try $1.choice() },
        Flag(
            ["--negotiate-to"],
            value: "HOST",
            repeats: true,
            help: "send your Kerberos ticket to HOST, or to all hosts below .DOMAIN, when it asks",
            details: """
                A ticket proves your identity. Without this flag, it is sent only to hosts of \
                your own realm: those in the realm's domain, and those that `[domain_realm]` in \
                krb5.conf assigns to it. The realm is that of the ticket, or else \
                `default_realm`.
                """
        ) { options, value in
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
            excludes: .init("--user", "--password", because: "a token replaces user and password"),
            reads: .init { [$0.bearer?.path] },
            secret: .value,
            help: "send a bearer token; also @FILE, env:NAME or fd:N",
            details: "It is sent to the origin of the first URL, and to no other."
        ) { $0.bearer = try SecretSource($1) },
        Flag(
            ["--netrc-file"],
            value: "FILE",
            orders: .attach,
            reads: .init { [$0.netrcFile] },
            help: "read users and passwords from FILE instead of ~/.netrc",
            details: """
                Entries apply to the host that asks; after a redirect to another origin, only \
                over TLS. default applies only to the origins of the URLs. Without this flag, \
                the file is the one in NETRC, or ~/.netrc. If others can read the file, a \
                warning is printed.
                """
        ) { options, value in
            options.netrcFile = try value.path()
            options.ignoresNetrc = false
        },
        Flag(["--no-netrc"], orders: .attach, help: "do not read .netrc") {
            $0.netrcFile = nil
            $0.ignoresNetrc = true
        },
        Flag(
            ["--save-credentials"],
            excludes: .init(
                "--forget-credentials",
                because: "--forget-credentials fetches nothing"
            ),
            background: .keepsNoPassword,
            help: "use saved credentials, and save those that a server accepts",
            details: """
                They are saved in the key store (the Secret Service). If there is none, they are \
                saved in a file that only you can read. A later run with this flag uses them \
                when the same server asks for the same realm with the same method. With \
                --session they are in the session's folder, and later runs of that session use \
                them without this flag. Only accepted credentials are saved.
                """
        ) { $0.savesCredentials = true },
        Flag(
            ["--forget-credentials"],
            background: .keepsNoPassword,
            help: "delete the saved credentials for the hosts of the URLs, and fetch nothing",
            details: """
                With a NAME in --user, or in the URL, only that user's credentials are deleted.
                """
        ) { $0.forgetsCredentials = true },
        Flag(
            ["--secret-header"],
            value: "NAME",
            repeats: true,
            help: "treat the header NAME as a credential",
            details: """
                Like Authorization and Cookie, it is not sent to another origin after a \
                redirect, and its value is not printed.
                """
        ) { options, value in
            guard HTTPSyntax.isToken(value.text) else {
                throw value.invalid("is not a header name")
            }
            options.transport.secretHeaders.append(value.text)
        },
    ]

    static let spool: [Flag] = [
        Flag(
            ["--spool-limit"],
            value: "SIZE",
            help: "buffer up to SIZE of a piped body, to send it again (1G; 0 disables this)",
            details: """
                A body from standard input or a pipe can be read only once. It may be needed \
                again after a redirect, or when the server asks for credentials. So it is buffered \
                while it is sent: up to 1 MiB in memory, and beyond that in an unnamed temporary \
                file in the folder TMPDIR. If a body larger than SIZE is needed again, the exit \
                status is 13.
                """
        ) { $0.session.spoolLimit = try $1.byteSize(zero: "0 disables the buffer") ?? 0 }
    ]
}

enum PromptPolicy: Sendable {
    /// If no other source has them, and a terminal or a program can show the prompt.
    case ifNeeded
    /// `--ask-password`: before any other source is queried.
    case always
    /// `--no-ask-password`
    case never
}

/// The methods by which credentials may be sent: `--auth`.
enum AuthenticationChoice: String, CaseIterable, Sendable {
    /// The strongest method that the server offers.
    case any
    case basic
    case digest
    case ntlm
    case negotiate
}

extension Conflicts {
    /// Throws unless the flags name one user, in one way.
    static func checkAuthentication(_ options: Options) throws(UsageError) {
        if options.bearer != nil, options.authentication != .any {
            throw .conflict("--bearer", "--auth", reason: "--bearer already selects the method")
        }
        if !options.negotiateHosts.isEmpty, ![.any, .negotiate].contains(options.authentication) {
            throw .conflict(
                "--negotiate-to",
                "--auth \(options.authentication.rawValue)",
                reason: "only the method negotiate uses tickets"
            )
        }
    }
}

import FetchCommand

extension ManPage {
    /// EXIT STATUS: the table of `ExitStatus`.
    func addExitStatus(to page: inout Roff) {
        page.section("Exit status")
        let signals = SignalStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        for (status, meaning) in ExitStatus.allCases.map({ ("\($0.rawValue)", $0.meaning) })
            + signals
        {
            page.item(RoffText.bold(status), Self.prose.lines(Self.sentence(meaning)))
        }
        let order = ExitStatus.byGravity.map { "\($0.rawValue)" }.joined(separator: ", ")
        page.paragraph(
            """
            Statuses above 128 are what a shell reports for a process that died by a signal. \
            With several URLs, the gravest status is used, in this order: \(order).
            """,
            Self.prose
        )
    }

    /// ENVIRONMENT, the variables that fetch reads, and FILES, those that no command line names.
    func addEnvironmentAndFiles(to page: inout Roff) {
        for (title, terms) in [("Environment", Self.variables), ("Files", Self.files)] {
            page.section(title)
            for (names, meaning) in terms {
                let tag = names.map { Self.prose.line($0) }.joined(separator: ", ")
                page.item(tag, Self.prose.lines(meaning))
            }
        }
    }

    /// EXAMPLES: the examples of docs/examples.md.
    func addExamples(to page: inout Roff) {
        page.section("Examples")
        for example in examples {
            page.paragraph(example.explanation, Self.prose)
            page.example(example.lines(width: 68))
        }
    }

    private static let variables: [(names: [String], meaning: String)] = [
        (
            ["`FETCH_CONFIG`"],
            """
            The configuration file instead of the user's own; empty for none. --config and \
            --no-config take precedence.
            """
        ),
        (
            ["`XDG_CONFIG_HOME`"],
            """
            The folder of the configuration file's folder `fetch`; the default is `~/.config`.
            """
        ),
        (
            ["`XDG_STATE_HOME`"],
            """
            The folder of the folder `fetch` with the hosts that require TLS, the sessions of \
            --session, and background sessions; the default is `~/.local/state`. Without this \
            variable and HOME, none of these is kept, and there are no background sessions.
            """
        ),
        (
            ["`XDG_RUNTIME_DIR`"],
            "The folder of the folder `fetch` with the sockets of background sessions."
        ),
        (
            ["`http_proxy`", "`https_proxy`", "`HTTPS_PROXY`"],
            """
            The proxy for URLs of the scheme, written as for --proxy. HTTP_PROXY in capitals is \
            not read, because a web server may have set it from a header of its client.
            """
        ),
        (
            ["`all_proxy`", "`ALL_PROXY`"],
            "The proxy for both schemes, if the scheme's own variable is not set."
        ),
        (
            ["`no_proxy`", "`NO_PROXY`"],
            """
            The hosts that are reached without a proxy, written as for --noproxy, or * for all. \
            They apply to --proxy too.
            """
        ),
        (
            ["`NETRC`"],
            "The file of users and passwords instead of ~/.netrc; --netrc-file takes precedence."
        ),
        (
            ["`WGET_ASKPASS`", "`SSH_ASKPASS`"],
            "The program for an empty --use-askpass; the first one that is set is used."
        ),
        (
            ["`DBUS_SESSION_BUS_ADDRESS`"],
            "The address of the bus with the key store (the Secret Service)."
        ),
        (["`TMPDIR`"], "The folder for temporary files; the default is /tmp."),
        (
            ["`CURL_CA_BUNDLE`", "`SSL_CERT_FILE`", "`SSL_CERT_DIR`"],
            """
            Two files and a folder with certificates of authorities to trust instead of the \
            system's. The first takes precedence over the other two, and --ca-certificate and \
            --ca-directory over all.
            """
        ),
        (
            ["`SSLKEYLOGFILE`"],
            """
            A file to which the secrets of TLS connections are appended, for programs that \
            analyse recorded traffic. Every reader of the file can decrypt the connections.
            """
        ),
        (["`NO_COLOR`"], "If it is set to anything, bars have no colours."),
        (
            ["`TERM`", "`COLUMNS`", "`LINES`"],
            """
            Bars are drawn on a terminal if TERM is set, and not to dumb. COLUMNS and LINES are \
            its size if the terminal does not report it.
            """
        ),
        (
            ["`LC_ALL`", "`LC_CTYPE`", "`LANG`"],
            "Bars are ASCII only, unless the first of these that is set names UTF-8."
        ),
    ]

    private static let files: [(names: [String], meaning: String)] = [
        (
            ["NAME.part"],
            """
            A download in progress, or the part of an interrupted one. It is locked while it is \
            written.
            """
        ),
        (
            ["NAME.part.resume"],
            """
            What continuing the part takes: a JSON object with the URL, the server's validator, \
            and the identity of the part. It has no credentials, and only its owner can read it.
            """
        ),
        (
            ["`~/.config/fetch/config`"],
            """
            Flags that are read before those of the command line, one per line; in \
            XDG_CONFIG_HOME, if that is set. --config describes the format.
            """
        ),
        (["`~/.netrc`"], "Users and passwords by host, as ftp(1) and curl(1) read them."),
        (
            ["`~/.cache/fetch/answers`"],
            """
            Responses to -O -. A later run asks the server whether they are still valid. In \
            XDG_CACHE_HOME, if that is set. Only their owner can read them, and they may be \
            removed at any time.
            """
        ),
        (
            ["`~/.local/share/fetch/credentials`"],
            """
            Credentials of --save-credentials if there is no key store; in XDG_DATA_HOME, if \
            that is set. Only their owner can read them.
            """
        ),
        (
            ["`~/.local/state/fetch/sessions/`", "`~/.cache/fetch/sessions/`"],
            """
            Sessions of --session, each in a folder of its name: `cookies.txt`, in the format of \
            --save-cookies, `credentials`, and in the second folder `answers`. In XDG_STATE_HOME \
            and XDG_CACHE_HOME, if these are set. Only their owner can read them. Several \
            processes may use a session at once.
            """
        ),
        (
            ["`~/.local/state/fetch/background/`"],
            """
            Background sessions: their tasks, and what these have received; in XDG_STATE_HOME, \
            if that is set. The requests may contain passwords, as ~/.netrc does.
            """
        ),
        (
            ["`~/.local/state/fetch/hsts`"],
            """
            Hosts that are reached over TLS only, in the format of curl(1); in XDG_STATE_HOME, \
            if that is set.
            """
        ),
        (
            ["`/etc/ssl/certs`", "`/etc/ssl/certs/ca-certificates.crt`"],
            """
            The certificates of trusted authorities. The folder is used if it has hashed names, \
            and otherwise the file.
            """
        ),
    ]
}

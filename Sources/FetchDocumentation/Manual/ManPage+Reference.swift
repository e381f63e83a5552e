import FetchCommand

extension ManPage {
    /// EXIT STATUS: the table of the code.
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
            Those above 128 are what a shell makes of a process that died by the signal. With several \
            URLs the gravest status wins, by this order: \(order).
            """,
            Self.prose
        )
    }

    /// ENVIRONMENT: what is read of it.
    func addEnvironment(to page: inout Roff) {
        page.section("Environment")
        addTerms(Self.variables, to: &page)
    }

    /// FILES: what is read and written beside what the command line names.
    func addFiles(to page: inout Roff) {
        page.section("Files")
        addTerms(Self.files, to: &page)
    }

    /// EXAMPLES: those of docs/examples.md.
    func addExamples(to page: inout Roff) {
        page.section("Examples")
        for example in examples {
            page.paragraph(example.explanation, Self.prose)
            page.example(example.lines(width: 68))
        }
    }

    private func addTerms(
        _ terms: [(names: [String], meaning: String)],
        to page: inout Roff
    ) {
        for (names, meaning) in terms {
            let tag = names.map { Self.prose.line($0) }.joined(separator: ", ")
            page.item(tag, Self.prose.lines(meaning))
        }
    }

    private static let variables: [(names: [String], meaning: String)] = [
        (
            ["`FETCH_CONFIG`"],
            """
            The configuration file in place of the user's own; empty for none. --config and \
            --no-config go before it.
            """
        ),
        (
            ["`XDG_CONFIG_HOME`"],
            """
            Where the configuration file is, in a folder `fetch`; else it is `~/.config`.
            """
        ),
        (
            ["`XDG_STATE_HOME`"],
            """
            Where the hosts that want TLS, the sessions of --session, and background sessions are \
            kept, in a folder `fetch`; else it is `~/.local/state`. Without HOME either they are not \
            kept, and there are no background sessions.
            """
        ),
        (
            ["`XDG_RUNTIME_DIR`"],
            "Where the processes of background sessions are spoken to, in a folder `fetch`."
        ),
        (
            ["`http_proxy`", "`https_proxy`", "`HTTPS_PROXY`"],
            """
            The proxy for URLs of the scheme, written as for --proxy. In capitals HTTP_PROXY is not \
            read, since a web server may have set it from a header that its client chose.
            """
        ),
        (
            ["`all_proxy`", "`ALL_PROXY`"],
            "The proxy for both schemes, where the scheme's own variable is not set."
        ),
        (
            ["`no_proxy`", "`NO_PROXY`"],
            """
            The hosts that are reached without a proxy, as --noproxy has them, or * for all. They \
            count for --proxy too.
            """
        ),
        (
            ["`NETRC`"],
            "The file of users and passwords in place of ~/.netrc; --netrc-file goes before it."
        ),
        (
            ["`WGET_ASKPASS`", "`SSH_ASKPASS`"],
            "The program that an empty --use-askpass means; the first one that is set counts."
        ),
        (
            ["`DBUS_SESSION_BUS_ADDRESS`"],
            "Where the key store (the Secret Service) is found."
        ),
        (
            ["`TMPDIR`"],
            "The folder of temporary files, /tmp unless it is set."
        ),
        (
            ["`CURL_CA_BUNDLE`", "`SSL_CERT_FILE`", "`SSL_CERT_DIR`"],
            """
            A file, another one, and a folder, of certificates of authorities to trust in place of \
            the system's; the first goes before the others, and --ca-certificate and --ca-directory \
            before all.
            """
        ),
        (
            ["`SSLKEYLOGFILE`"],
            """
            A file to which the secrets of TLS connections are appended, for programs that look into \
            recorded traffic. Every reader of the file can decrypt the connections.
            """
        ),
        (
            ["`NO_COLOR`"],
            "Bars have no colours, if it is set to anything."
        ),
        (
            ["`TERM`", "`COLUMNS`", "`LINES`"],
            """
            Bars are drawn on a terminal if TERM is set, and not to dumb. The other two are its size \
            where it does not tell it itself.
            """
        ),
        (
            ["`LC_ALL`", "`LC_CTYPE`", "`LANG`"],
            "Bars are of ASCII alone unless the first of these that is set names UTF-8."
        ),
    ]

    private static let files: [(names: [String], meaning: String)] = [
        (
            ["NAME.part"],
            """
            A download under way, or what there is of one that was interrupted. It is locked while \
            it is written.
            """
        ),
        (
            ["NAME.part.resume"],
            """
            How the part can be continued: a JSON object with the URL, the server's validator, and \
            what the part was when it was written. No credential is in it, and only its owner can \
            read it.
            """
        ),
        (
            ["`~/.config/fetch/config`"],
            """
            Flags that come before those of the command line, one to a line; in XDG_CONFIG_HOME, if \
            that is set. How it is written stands at --config.
            """
        ),
        (
            ["`~/.netrc`"],
            "Users and passwords by host, as ftp(1) and curl(1) read them."
        ),
        (
            ["`~/.cache/fetch/answers`"],
            """
            What -O - has printed: a later run asks the server whether it still holds, and saves \
            its bytes; in XDG_CACHE_HOME, if that is set. Only its owner can read it, and it may be \
            removed at any time.
            """
        ),
        (
            ["`~/.local/share/fetch/credentials`"],
            """
            What --save-credentials keeps where no key store answers; in XDG_DATA_HOME, if that is \
            set. Only its owner can read it.
            """
        ),
        (
            ["`~/.local/state/fetch/sessions/`", "`~/.cache/fetch/sessions/`"],
            """
            What the sessions of --session keep, each in a folder of its name: `cookies.txt`, in the \
            form of --save-cookies, `credentials`, and in the second folder `answers`; in \
            XDG_STATE_HOME and XDG_CACHE_HOME, if these are set. Only their owner can read them. \
            Several processes may use a session at once.
            """
        ),
        (
            ["`~/.local/state/fetch/background/`"],
            """
            What background sessions must not forget, and what their tasks have received; in \
            XDG_STATE_HOME, if that is set. The requests in it may have passwords, as ~/.netrc does.
            """
        ),
        (
            ["`~/.local/state/fetch/hsts`"],
            """
            The hosts that are reached over TLS only, in the form of curl(1); in XDG_STATE_HOME, if \
            that is set.
            """
        ),
        (
            ["`/etc/ssl/certs`", "`/etc/ssl/certs/ca-certificates.crt`"],
            """
            The certificates of the authorities that are trusted. Where the folder has hashed names \
            it is used, and else the file.
            """
        ),
    ]
}

import URLLoading

extension Flags {
    /// What is sent of cookies, and what is kept.
    static let cookies: [Flag] = [
        Flag(
            ["--load-cookies"],
            value: "FILE",
            kind: .file,
            reads: .init { [$0.loadedCookies] },
            section: .cookies,
            help: "read cookies from FILE, in the format that curl, wget and browsers share",
            details: """
                What servers set meanwhile is kept by --save-cookies, or in the session of --session, \
                and else ends with the run. A FILE that is not there is an error, unless \
                --save-cookies is going to make it.
                """
        ) { options, value throws(UsageError) in
            options.loadedCookies = try value.path()
        },
        Flag(
            ["--save-cookies"],
            value: "FILE",
            kind: .file,
            background: .hasOwnCookies,
            section: .cookies,
            help: "save cookies to FILE, in the format that curl, wget and browsers share",
            details: """
                It is written as a whole at the end, also after a failure. What is in FILE already \
                stays, with what other processes have written meanwhile, unless a server has changed \
                it or it has ended. A FILE that is no cookie file is left as it is, with a warning. A \
                new one is for you alone.
                """
        ) { options, value throws(UsageError) in
            options.savedCookies = try value.path()
        },
        Flag(
            ["--keep-session-cookies"],
            background: .hasOwnCookies,
            section: .cookies,
            help: "save session cookies too"
        ) { $0.keepsSessionCookies = true },
        Flag(
            ["--cookie"],
            value: "NAME=VALUE",
            reads: .init { [$0.cookie?.path] },
            secret: .value,
            section: .cookies,
            help: "send these cookies after the stored ones; also @FILE, env:NAME or fd:N",
            details: """
                Several stand in one text, with '; ' between them. It is for the origin of the first \
                URL, and goes to no other. FILE is a text file with that line; a cookie \
                file, as curl takes it too, is --load-cookies FILE.
                """
        ) { options, value throws(UsageError) in
            let source = try SecretSource(value)
            if case .text(let secret) = source, !secret.text.contains("=") {
                throw value.invalidSecret(
                    "there is no '=' in it",
                    hint: "a cookie is NAME=VALUE; a file of cookies is --load-cookies FILE"
                )
            }
            options.cookie = source
            options.transport.addsStoredCookies = true
        },
        Flag(
            ["--no-cookies"],
            excludes: [
                .init("--load-cookies", "--save-cookies", because: "there are no cookies then")
            ],
            orders: .attach,
            section: .cookies,
            help: "store no cookies, and send only those of --cookie and --header"
        ) { $0.ignoresCookies = true },
        Flag(
            ["--cookie-policy"],
            value: "POLICY",
            kind: .choice(cookiePolicies),
            section: .cookies,
            help: "accept cookies always, never, or from the main-document only",
            details: """
                The main document is the URL: after a redirect to another host, that host's cookies \
                are not kept. Hosts above the URL's and below it count as its own. What is there \
                already is sent in any case.
                """
        ) { options, value throws(UsageError) in
            options.session.settings.cookies.policy = try value.choice(
                cookiePolicies,
                [.always, .never, .onlyFromMainDocumentDomain]
            )
        },
    ]

    private static let cookiePolicies = ["always", "never", "main-document"]
}

extension Conflicts {
    /// What is kept where nothing is to be kept, and what is said twice.
    static func checkCookies(_ options: Options) throws(UsageError) {
        let isHeader = options.headers.contains { HTTPHeaderFields.areSame($0.name, "Cookie") }
        if options.cookie != nil, isHeader {
            throw .conflict("--cookie", "--header Cookie", reason: "a request has one such field")
        }
        if options.keepsSessionCookies, options.savedCookies == nil {
            throw .invalidValue(
                flag: "--keep-session-cookies",
                value: nil,
                reason: "there is no file to keep them in",
                hint: "--save-cookies FILE names it"
            )
        }
        if options.savedCookies == "-" {
            throw .invalidValue(
                flag: "--save-cookies",
                value: "-",
                reason: "cookies are kept in a file",
                hint: "name one; /dev/stdout is no file to replace either"
            )
        }
    }

    /// An order to sessions that last fetches nothing.
    static func check(_ order: SessionOrder, _ options: Options) throws(UsageError) {
        try check(order.flag, options)
        if !options.urls.isEmpty {
            throw .conflict(order.flag, "a URL", reason: "--session NAME URL uses a session")
        }
    }
}

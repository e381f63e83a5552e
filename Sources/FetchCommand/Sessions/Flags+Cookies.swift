import URLLoading

extension Flags {
    static let cookies: [Flag] = [
        Flag(
            ["--load-cookies"],
            value: "FILE",
            reads: .init { [$0.loadedCookies] },
            help: "read cookies from FILE, in the format that curl, wget and browsers share",
            details: """
                Cookies that servers set during the run are saved by --save-cookies, or in the \
                session of --session; otherwise they are forgotten. If FILE is missing, that is \
                an error, unless --save-cookies will create it.
                """
        ) { $0.loadedCookies = try $1.path() },
        Flag(
            ["--save-cookies"],
            value: "FILE",
            background: .hasOwnCookies,
            help: "save cookies to FILE, in the format that curl, wget and browsers share",
            details: """
                FILE is replaced at the end of the run, also after a failure. Cookies that are \
                already in FILE are kept, including those that other processes have written \
                meanwhile, unless a server has changed them or they have expired. If FILE is not \
                a cookie file, it is left as it is, and a warning is printed. A new FILE is \
                readable only by you, and is created even if no server sends a cookie.
                """
        ) { $0.savedCookies = try $1.path() },
        Flag(
            ["--keep-session-cookies"],
            background: .hasOwnCookies,
            help: "save session cookies too"
        ) { $0.keepsSessionCookies = true },
        Flag(
            ["--cookie"],
            value: "NAME=VALUE",
            repeats: true,
            reads: .init { [$0.cookie?.path] },
            secret: .value,
            help: "send these cookies after the stored ones; also @FILE, env:NAME or fd:N",
            details: """
                Several cookies are separated by '; '. They are sent to the origin of the first \
                URL, and to no other. @FILE is a text file with such a line. For a cookie file, \
                which curl's flag also accepts, use --load-cookies FILE.
                """
        ) { options, value in
            let source = try SecretSource(value)
            if case .text(let secret) = source, !secret.text.contains("=") {
                throw value.invalidSecret(
                    "there is no '=' in it",
                    hint: "a cookie is NAME=VALUE; a file of cookies is --load-cookies FILE"
                )
            }
            switch (options.cookie, source) {
            case (nil, _): options.cookie = source
            case (.text(let first)?, .text(let second)):
                options.cookie = .text(Secret(first.text + "; " + second.text))
            default:
                throw value.invalidSecret(
                    "only cookies in the form NAME=VALUE can be combined",
                    hint: "write all of them into one file, separated by '; '"
                )
            }
            options.transport.addsStoredCookies = true
        },
        Flag(
            ["--no-cookies"],
            excludes: .init(
                "--load-cookies",
                "--save-cookies",
                because: "there are no cookies then"
            ),
            orders: .attach,
            help: "store no cookies, and send only those of --cookie and --header"
        ) { $0.ignoresCookies = true },
        Flag(
            ["--cookie-policy"],
            value: "POLICY",
            kind: .choice(cookiePolicies),
            help: "accept cookies always, never, or from the main-document only",
            details: """
                The main document is the URL. After a redirect to another host, that host's \
                cookies are not stored. Hosts above the URL's host and below it count as the \
                same. Stored cookies are sent in any case.
                """
        ) { options, value in
            let policies: [HTTPCookie.AcceptPolicy] = [
                .always, .never, .onlyFromMainDocumentDomain,
            ]
            options.session.settings.cookies.policy = try value.choice(cookiePolicies, policies)
        },
    ]

    private static let cookiePolicies = ["always", "never", "main-document"]
}

extension Conflicts {
    static func checkCookies(_ options: Options) throws(UsageError) {
        if options.cookie != nil, options.header("Cookie") != nil {
            throw .conflict("--cookie", "--header Cookie", reason: "a request has one such field")
        }
        if options.keepsSessionCookies, options.savedCookies == nil {
            throw .unusable(
                flag: "--keep-session-cookies",
                reason: "there is no file to keep them in",
                hint: "--save-cookies FILE names it"
            )
        }
        if options.savedCookies == "-" {
            throw .invalidValue(
                flag: "--save-cookies",
                value: "-",
                reason: "is not a file",
                hint: "name a file; /dev/stdout cannot be replaced either"
            )
        }
    }
}

/// The source and the storage of cookies.
struct CookiePlan: Equatable, Sendable {
    /// Where cookies are stored.
    enum Storage: Equatable, Sendable {
        case none
        /// Cookies are discarded at the end of the run.
        case memory
        case session(NamedSession)
        case file(String, isRead: Bool, keepsSessionCookies: Bool)
    }

    private(set) var storage = Storage.memory
    /// Cookies that are added to the storage.
    private(set) var loaded: [HTTPCookie] = []
    private(set) var loadedFile: String?
    /// Warnings about the loaded file.
    private(set) var warnings: [String] = []
}

extension CookiePlan {
    /// Validates the flags, and reads the file that they name.
    init(_ options: Options) throws(UsageError) {
        guard !options.ignoresCookies else {
            storage = .none
            return
        }
        // If one file is loaded and saved, it is read, and updated with the changes.
        let isOne =
            options.loadedCookies.map { loaded in
                options.savedCookies.map { Self.isSame(loaded, $0) } ?? false
            } ?? false
        if let path = options.savedCookies {
            _ = try FileFacts.target(of: path)
            storage = .file(path, isRead: isOne, keepsSessionCookies: options.keepsSessionCookies)
        } else if let session = options.session.named {
            storage = .session(session)
        }
        guard let path = options.loadedCookies, !isOne || FileFacts.exists(path) else { return }
        let (cookies, warnings) = try Self.read(path)
        loaded = isOne ? [] : cookies
        loadedFile = path
        self.warnings = warnings.map { "\(path): \($0)" }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let place = FilePlace(one) else { return one == other }
        return place == FilePlace(other)
    }

    private static func read(
        _ path: String
    ) throws(UsageError) -> (cookies: [HTTPCookie], warnings: [String]) {
        _ = try FileFacts.readable(path)
        return try mapError(HTTPCookieStorage.cookies(inFile: path)) { (error: PrivateFileError) in
            UsageError.stateFile(path, error)
        }
    }
}

extension UsageError {
    /// The error of a file of cookies or HSTS hosts that cannot be used.
    static func stateFile(_ path: String, _ error: PrivateFileError) -> UsageError {
        switch error {
        case .unsafe(_, let reason), .failed(_, let reason), .malformed(_, let reason):
            .file(path: path, reason)
        case .busy: .file(path: path, "is being written by another process")
        }
    }
}

extension URLSessionConfiguration {
    /// Sets the cookie storage and adds the loaded cookies; for one session only.
    func keepCookies(_ plan: CookiePlan) {
        switch plan.storage {
        case .none: httpCookieStorage = nil
        case .memory: httpCookieStorage = HTTPCookieStorage()
        case .session(let session): httpCookieStorage = session.cookieStorage()
        case .file(let path, let isRead, let keepsSessionCookies):
            httpCookieStorage = HTTPCookieStorage(
                path: path,
                isRead: isRead,
                keepsSessionCookies: keepsSessionCookies
            )
        }
        if !plan.loaded.isEmpty { httpCookieStorage?.add(plan.loaded) }
    }
}

extension Conflicts {
    /// A process of its own obeys what can be written down for it.
    static func checkBackground(_ options: Options) throws(UsageError) {
        if let order = options.backgroundAction { return try check(order, options) }
        guard options.background else {
            for flag in ["--identifier", "--on-complete", "--discretionary", "--no-discretionary"]
            where options.given.contains(flag) {
                throw .invalidValue(
                    flag: flag,
                    value: nil,
                    reason: "is for --background alone",
                    hint: nil
                )
            }
            return
        }
        for flag in options.given.sorted() {
            guard let refusal = Flags.named(flag)?.refusal else { continue }
            throw .conflict("--background", flag, reason: refusal.rawValue)
        }
        if options.outputs.contains(.standardOutput) {
            throw .conflict(
                "--background",
                "--output -",
                reason: "there is no standard output when the body comes"
            )
        }
        if options.upload?.source == .standardInput {
            throw .conflict(
                "--background",
                options.upload?.kind == .put ? "--upload-file -" : "--post-file -",
                reason: "a background session sends bodies from files only"
            )
        }
        if options.user != nil || options.password != nil, options.authentication != .basic {
            throw .conflict(
                "--background",
                options.user != nil ? "--user" : "--password",
                reason: BackgroundRefusal.keepsNoPassword.rawValue
            )
        }
    }

    /// An order fetches nothing: beside it stands what says how it is told, and by `--attach` who one is.
    static func check(_ order: String, _ options: Options) throws(UsageError) {
        let flag = options.given.sorted().first { name in
            guard name != order, let flag = Flags.named(name) else { return false }
            return flag.orders == .none || flag.orders == .attach && order != "--attach"
        }
        guard let flag else { return }
        throw .conflict(order, flag, reason: "nothing is fetched by this command")
    }

    private static func check(
        _ order: BackgroundAction,
        _ options: Options
    ) throws(UsageError) {
        try check(order.flag, options)
        if !options.urls.isEmpty {
            throw .conflict(
                order.flag,
                "a URL",
                reason: "--background --identifier ID URL adds one to a session"
            )
        }
    }
}

/// Why `--background` cannot obey a flag: its tasks are carried out by a process that has neither a
/// terminal nor anybody to tell.
enum BackgroundRefusal: String, Sendable {
    case sendsFilesOnly =
        "a background session sends bodies from files only: --post-file FILE, --upload-file FILE"
    case makesFiles = "a background session makes files"
    case knowsNames = "a background session has one name for a file, known from the start"
    case tellsLater = "nobody is told while it is in the background; --attach ID tells later"
    case asksLater = "there is nobody to be asked; --attach ID asks"
    case keepsNoPassword = """
        a background session keeps no password: --netrc-file FILE, or --auth basic, which sends it \
        unasked and keeps what it sends
        """
    case hasOwnCookies =
        "what servers set in a background session ends with it; --load-cookies FILE is what it begins with"
    case isOfForeground = "it is about what runs in the foreground keep"
    case comparesNothing = "what a background session has fetched is not compared with anything"
    case followsRedirects =
        "a background session follows every redirect, and no credential goes along"
    case makesWholeFiles = "a background session makes files, and these are whole or absent"
    case asksForURLs =
        "a background session asks for what a URL names, and sends whole files"
    case hasOwnRetries = """
        a background session tries again by rules of its own, until --max-time or --tries end it
        """
    case failsOnErrors = "an error status is a failure in the background"
    case hasOwnJobs = "a background session carries each task out to its own end, --jobs N at once"
}

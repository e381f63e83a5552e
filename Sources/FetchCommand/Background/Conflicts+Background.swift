extension Conflicts {
    /// The transfer process can obey only flags that can be stored.
    static func checkBackground(_ options: Options) throws(UsageError) {
        if let order = options.backgroundAction {
            let reason = "--background --identifier ID URL adds one to a session"
            return try check(order.flag, options, withURL: reason)
        }
        guard options.background else {
            for flag in ["--identifier", "--on-complete", "--discretionary", "--no-discretionary"]
            where options.given.contains(flag) {
                throw .unusable(flag: flag, reason: "applies only with --background")
            }
            return
        }
        for flag in options.given.sorted() {
            guard let refusal = Flags.named(flag)?.refusal else { continue }
            throw .conflict("--background", flag, reason: refusal.rawValue)
        }
        if case .set? = options.header("Range") {
            let reason = BackgroundRefusal.asksForURLs.rawValue
            throw .conflict("--background", "--header Range", reason: reason)
        }
        if options.outputs.contains(.standardOutput) {
            throw .conflict(
                "--background",
                "--output -",
                reason: "a background session has no standard output"
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

    /// Throws unless the flags are for messages, or, with `--attach`, for credentials.
    ///
    /// `reason` is why an order cannot be combined with a URL.
    static func check(
        _ order: String,
        _ options: Options,
        withURL reason: String
    ) throws(UsageError) {
        let flag = options.given.sorted().first { name in
            guard name != order, let flag = Flags.named(name) else { return false }
            return flag.orders == .none || flag.orders == .attach && order != "--attach"
        }
        if let flag {
            throw .conflict(order, flag, reason: "nothing is fetched by this command")
        }
        if !options.urls.isEmpty { throw .conflict(order, "a URL", reason: reason) }
    }
}

/// Why `--background` cannot obey a flag: the transfer process has no terminal and no reader.
enum BackgroundRefusal: String, Sendable {
    case sendsFilesOnly =
        "a background session sends bodies from files only: --post-file FILE, --upload-file FILE"
    case makesFiles = "a background session writes files"
    case knowsNames = "a background session must know the file's name in advance"
    case reportsLater = "a background session prints nothing; --attach ID reports later"
    case asksLater = "a background session cannot ask; --attach ID asks"
    case keepsNoPassword = """
        a background session keeps no password: --netrc-file FILE, or --auth basic, which sends it \
        unasked and keeps what it sends
        """
    case hasOwnCookies =
        "a background session saves no cookies; --load-cookies FILE supplies initial ones"
    case isOfForeground = "this command runs in the foreground"
    case comparesNothing = "a background session makes no comparison of its own"
    case followsRedirects = "a background session follows every redirect, without credentials"
    case makesWholeFiles = "a background session saves only complete files"
    case asksForURLs = "a background session fetches and sends only whole files"
    case hasOwnRetries = """
        a background session tries again by rules of its own, until --max-time or --tries end it
        """
    case failsOnErrors = "in the background an error status is always a failure"
    case hasOwnJobs = "background tasks are independent; --jobs N limits how many run at once"
}

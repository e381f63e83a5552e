import URLLoading

enum Conflicts {
    static func check(_ options: Options) throws(UsageError) {
        try checkBackground(options)
        guard options.backgroundAction == nil else { return try checkDeclared(options) }
        if let order = options.sessionOrder {
            return try check(order.flag, options, withURL: "--session NAME URL uses a session")
        }
        try checkURLs(options)
        try checkBody(options)
        // Again, for a flag of a configuration file; a plan has read the header by now.
        try checkHeaderInput(options)
        try checkStandardInput(options)
        if options.directory != nil, !options.decidesByResponse, let flag = bodyFlags(options).first
        {
            throw .conflict(
                "--directory-prefix",
                flag,
                reason: "the response goes to standard output, or to -O FILE"
            )
        }
        if options.getsData, let flag = bodyFlags(options).first {
            throw .conflict("--get", flag, reason: "only --data can become a query")
        }
        if options.head, let method = options.method, !method.hasBytes(of: "HEAD") {
            throw .conflict(
                "--head",
                "--request",
                reason: "--head uses the method HEAD; --include also prints the head of a GET"
            )
        }
        try checkMessage(options)
        try checkEntityTags(options)
        try checkContinuing(options)
        try checkSplitting(options)
        try checkResponses(options)
        try checkNaming(options)
        try checkTimestamping(options)
        try checkIntegrity(options)
        try checkAuthentication(options)
        try checkCookies(options)
        try checkTLS(options)
        // Declared conflicts are checked last. `Invocation` uses the first conflict found, and
        // these are the simplest.
        try checkDeclared(options)
    }

    private static func checkDeclared(_ options: Options) throws(UsageError) {
        for place in Flags.all.indices where !Flags.all[place].excludes.isEmpty {
            let flag = Flags.all[place]
            guard options.given.contains(flag.names[0]) else { continue }
            for exclusion in flag.excludes {
                for other in exclusion.flags {
                    guard let name = Flags.named(other)?.names[0], options.given.contains(name)
                    else { continue }
                    let own = exclusion.name ?? flag.names[0]
                    throw .conflict(own, other, reason: exclusion.reason)
                }
            }
        }
    }

    private static func checkURLs(_ options: Options) throws(UsageError) {
        guard options.urls.isEmpty, options.list == nil else { return }
        // In wget these flags are switches; here they take a value.
        if case .text(let text)? = options.data.last?.source, text.contains("://") {
            throw .missingURL(hint: "-d sends data; for wget's -d use --verbose")
        }
        if options.namesProxy {
            throw .missingURL(hint: "-x sets a proxy; for wget's -x use --force-directories")
        }
        throw .missingURL(hint: "\(HelpText.usage); 'fetch --help' lists the options")
    }
}

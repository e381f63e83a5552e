import URLLoading

extension Conflicts {
    /// What is kept where nothing is to be kept, and what is said twice.
    static func checkCookies(_ options: Options) throws(UsageError) {
        let isHeader = options.headers.contains { HTTPHeaderFields.areSame($0.name, "Cookie") }
        if options.cookie != nil, isHeader {
            throw .conflict("--cookie", "--header Cookie", reason: "a request has one such field")
        }
        if options.ignoresCookies {
            let file =
                options.loadedCookies != nil
                ? "--load-cookies" : options.savedCookies != nil ? "--save-cookies" : nil
            if let file {
                throw .conflict("--no-cookies", file, reason: "there are no cookies then")
            }
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
        if options.session.named != nil, options.savedCookies != nil {
            throw .conflict("--session", "--save-cookies", reason: "cookies are kept in one place")
        }
        try checkEphemeral(options)
    }

    /// An order to sessions that last fetches nothing.
    static func check(_ order: SessionOrder, _ options: Options) throws(UsageError) {
        let obeyed = BackgroundFlags.obeyed(by: order.flag)
        if let flag = options.given.subtracting(obeyed).min() {
            throw .conflict(order.flag, flag, reason: "nothing is fetched by this command")
        }
        if !options.urls.isEmpty {
            throw .conflict(order.flag, "a URL", reason: "--session NAME URL uses a session")
        }
    }

    private static func checkEphemeral(_ options: Options) throws(UsageError) {
        guard options.session.isEphemeral else { return }
        let hosts =
            if case .file = options.transport.strictTransportSecurity { true } else { false }
        let other =
            options.session.named != nil
            ? "--session"
            : options.savedCookies != nil
                ? "--save-cookies"
                : hosts
                    ? "--hsts-file"
                    : options.savesCredentials
                        ? "--save-credentials" : options.clearsCache ? "--clear-cache" : nil
        if let other {
            throw .conflict("--ephemeral", other, reason: "nothing is kept then")
        }
    }
}

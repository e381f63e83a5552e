import URLLoading

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

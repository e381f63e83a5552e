extension Conflicts {
    /// One is one person, and says so in one way.
    static func checkAuthentication(_ options: Options) throws(UsageError) {
        if options.bearer != nil, options.authentication != .any {
            throw .conflict("--bearer", "--auth", reason: "a token is a method of its own")
        }
        if !options.negotiateHosts.isEmpty, ![.any, .negotiate].contains(options.authentication) {
            throw .conflict(
                "--negotiate-to",
                "--auth \(options.authentication.rawValue)",
                reason: "a ticket is for the method negotiate"
            )
        }
    }
}

extension Flags {
    /// What is said.
    static let messages: [Flag] = [
        Flag(
            ["--verbose", "-v"],
            section: .messages,
            help: "tell what happens"
        ) {
            $0.verbosity = .verbose
        },
        Flag(
            ["--no-verbose", "-nv"],
            section: .messages,
            help: "print one line per task"
        ) {
            $0.verbosity = .brief
        },
        Flag(
            ["--quiet", "-q"],
            section: .messages,
            help: "print errors only"
        ) {
            $0.verbosity = .quiet
        },
        Flag(
            ["--server-response", "-S"],
            section: .messages,
            help: "print the headers of responses",
            details: """
                In one word with -s, as in -sS or -fsSL, the letter is curl's and does nothing.
                """
        ) { $0.showsResponseHeaders = true },
        Flag(
            ["--content-on-error"],
            section: .messages,
            help: "deliver the body also when the status is 400 or above"
        ) { $0.contentOnError = true },
        Flag(
            ["--dry-run"],
            section: .messages,
            help: "print the request and the task, and send nothing"
        ) { $0.dryRun = true },
        Flag(
            ["--help", "-h"],
            section: .messages,
            help: "print this text"
        ) {
            $0.information = .help
        },
        Flag(
            ["--version", "-V"],
            section: .messages,
            help: "print the version"
        ) {
            $0.information = .version
        },
    ]
}

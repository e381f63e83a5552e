extension Flags {
    /// What is said.
    static let messages: [Flag] = [
        Flag(
            ["--verbose", "-v"],
            orders: .all,
            section: .messages,
            help: "show what is sent and received; -vv the session's events too",
            details: """
                As with curl: lines with > are heads that leave, lines with < heads that come, also \
                those of proxies and of responses with a challenge, and lines with * say which \
                addresses are connected to, what TLS has agreed on, and whose certificate it is. \
                Bodies are not shown, and credentials read (redacted). With -vv each call that the \
                session makes to its delegate is a line too, with the task's number, the method and \
                its arguments. Of -q, -nv and -v the last one counts.
                """
        ) { $0.verbosity = $0.verbosity.isVerbose ? .everything : .verbose },
        Flag(
            ["--no-verbose", "-nv"],
            orders: .all,
            section: .messages,
            help: "print one line per task"
        ) {
            $0.verbosity = .brief
        },
        Flag(
            ["--quiet", "-q"],
            orders: .all,
            section: .messages,
            help: "print errors only"
        ) {
            $0.verbosity = .quiet
        },
        Flag(
            ["--server-response", "-S"],
            background: .tellsLater,
            section: .messages,
            help: "print the headers of responses",
            details: """
                They go to standard error, those of redirects too. In one word with -s, as in -sS or \
                -fsSL, the letter is curl's and does nothing.
                """
        ) { $0.showsResponseHeaders = true },
        Flag(
            ["--progress"],
            value: "WHICH",
            kind: .choice(ProgressChoice.allCases.map(\.rawValue)),
            orders: .all,
            section: .messages,
            help: "how to show progress: bar, lines or none",
            details: """
                Without it there are bars where standard error is a terminal, and lines elsewhere. \
                Bars stand below everything else that is said, and each becomes one line when its \
                task is over; a task of less than 150 ms has none. A body on the same terminal has \
                it to itself. A job in the background draws no bars and prints errors and warnings \
                alone. Where bars cannot be drawn, `bar` gives lines and says so. Lines are one where a file is \
                begun, one where it is whole, and between them one for each 10 % that took at least \
                10 seconds, or for each five minutes where that is more often. With -q, -nv and -s, \
                and with --events on standard error, there is no progress, whatever this says.
                """
        ) { options, value throws(UsageError) in
            options.progress = try ProgressChoice(value)
        },
        Flag(
            ["--show-progress"],
            background: .tellsLater,
            section: .messages,
            help: "show progress even with --quiet"
        ) { $0.showsProgressAnyway = true },
        Flag(
            ["--append-output", "-a"],
            value: "LOG",
            kind: .file,
            background: .tellsLater,
            section: .messages,
            help: "append messages to LOG instead of standard error"
        ) { options, value throws(UsageError) in
            options.log = LogFile(path: try value.path(), appends: true)
        },
        Flag(
            ["--output-file"],
            value: "LOG",
            kind: .file,
            background: .tellsLater,
            section: .messages,
            help: "write messages to LOG instead of standard error"
        ) { options, value throws(UsageError) in
            options.log = LogFile(path: try value.path(), appends: false)
        },
        Flag(
            ["--content-on-error", "--fail-with-body"],
            excludes: [
                .init("--error-body", because: "each says where an error's body goes")
            ],
            background: .makesFiles,
            section: .messages,
            help: "write the body even if the status is 400 or above",
            details: "Without it such a body is dropped. The exit status stays what it is."
        ) { $0.responses.contentOnError = true },
        Flag(
            ["--dry-run"],
            section: .messages,
            help: "print the request and the task, and send nothing",
            details: "Files that are named are looked at, and none is made or changed."
        ) { $0.dryRun = true },
        Flag(
            ["--help", "-h"],
            orders: .all,
            section: .messages,
            help: "print the most used flags; --help all prints all of them",
            details: """
                A topic may follow: the name of a section, such as `--help cookies`, or a flag's.
                """
        ) {
            $0.information = .help(nil)
        },
        Flag(
            ["--version", "-V"],
            orders: .all,
            section: .messages,
            help: "print the versions of fetch and its libraries"
        ) {
            $0.information = .version
        },
    ]
}

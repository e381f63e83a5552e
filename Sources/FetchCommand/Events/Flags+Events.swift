extension Flags {
    /// What a program is told.
    static let events: [Flag] = [
        Flag(
            ["--events"],
            value: "FORMAT",
            kind: .choice(EventFormat.allCases.map(\.rawValue)),
            background: .tellsLater,
            orders: .attach,
            section: .messages,
            help: "write events for programs to read; FORMAT is json",
            details: """
                Each call to the session's delegate is one line with one JSON object: "event" is the \
                method's name in short, "method" in full; "time" is the time of day (RFC 3339, UTC) and \
                "monotonic" CLOCK_MONOTONIC in seconds; "task" counts the tasks from 1, "url" is \
                what the task was made for; "pid" is the process. The method's arguments follow under \
                their labels. Credentials read (redacted): users and passwords in URLs, and the headers \
                Authorization, Proxy-Authorization, Cookie and Set-Cookie. The query of a URL is shown. \
                Lines go to standard error, where each message is then a line of the event "message" \
                and progress is not printed. The transfer does not wait for the reader of a file, a FIFO \
                or a pipe. Of 1 MiB of events that wait, those that count bytes are \
                joined ("calls" says how many), and what then has no room is counted by an event \
                "eventsDropped". At the end a reader of --events-file or --events-fd that takes \
                nothing for 5 seconds is given up. A warning tells of events that could not be \
                written; the exit status is the transfer's.
                """
        ) { options, value throws(UsageError) in
            options.events = try value.choice(EventFormat.self)
        },
        Flag(
            ["--events-file"],
            value: "FILE",
            kind: .file,
            excludes: [
                .init("--events-fd", because: "events go to one place")
            ],
            background: .tellsLater,
            orders: .attach,
            section: .messages,
            help: "write the events to FILE, which is overwritten",
            details: """
                A new FILE is for its owner only (mode 0600). FILE may be a FIFO, whose reader is waited \
                for. It implies --events json.
                """
        ) { options, value throws(UsageError) in
            options.eventsFile = try eventsPath(value)
        },
        Flag(
            ["--events-fd"],
            value: "N",
            kind: .number,
            background: .tellsLater,
            orders: .attach,
            section: .messages,
            help: "write the events to descriptor N, as in --events-fd 3 3>FILE",
            details: """
                The descriptor has to be open for writing. It implies --events json. Lines of up to \
                4096 bytes stay whole where several processes write to one pipe, and all lines \
                where they append to one file.
                """
        ) { options, value throws(UsageError) in
            options.eventsDescriptor = CInt(try value.integer(in: 1...Int(Int32.max)))
        },
    ]

    private static func eventsPath(_ value: FlagValue) throws(UsageError) -> String {
        let path = try value.path()
        guard path != "-" else {
            throw value.invalid(
                "is no file",
                hint: "without --events-file events go to standard error; --events-fd 1 is standard"
                    + " output, and ./- a file of that name"
            )
        }
        return path
    }
}

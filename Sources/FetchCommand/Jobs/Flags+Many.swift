extension Flags {
    /// Many URLs at once.
    static let many: [Flag] = [
        Flag(
            ["--input-file", "-i"],
            value: "FILE",
            kind: .file,
            reads: .init { [$0.list?.path] },
            section: .task,
            help: "also fetch the URLs listed in FILE; - is standard input",
            details: """
                One URL to a line, blanks around it do not count, and neither do empty lines and \
                those that begin with `#`. They follow those of the command line, and are read as \
                they come: a pipe may go on giving them, and a list may have any length. A line that \
                is no URL is an error of its own, and the others are fetched. A `file:` URL is \
                refused, with exit status 11, unless there is --allow-file-urls. Over plain HTTP the \
                user and password of --user go to the origins of the command line's URLs, and to \
                those of a list only where --auth names the method. \
                Behind a tab may follow the name that the file gets, and behind another its checksum, \
                as --checksum has it.
                """
        ) { options, value throws(UsageError) in
            let path = try value.path()
            options.list = path == "-" ? .standardInput : .file(path)
        },
        Flag(
            ["--allow-file-urls"],
            section: .task,
            help: "also fetch file: URLs listed in the --input-file",
            details: """
                A list may be made by others, and with this flag it can name every file that you may \
                read. A `file:` URL on the command line needs no flag.
                """
        ) { $0.allowsFileURLs = true },
        Flag(
            ["--jobs", "-j", "--parallel-max"],
            value: "N",
            kind: .number,
            section: .task,
            help: "fetch N URLs at once (4)",
            details: """
                They share one session, and with it connections, cookies and passwords. Bodies come \
                out on standard output in the order of the URLs and whole: one whose turn has not \
                come waits, with no more than 1 MiB of it in memory. Where a server shares one \
                connection among requests (HTTP/2), each of the N stands for up to 32 requests. With \
                --dump-header - the tasks run one after the other.
                """
        ) { options, value throws(UsageError) in
            options.jobs = try value.integer(in: 1...1_000)
        },
        Flag(
            ["--url"],
            value: "URL",
            kind: .url,
            repeats: true,
            secret: .userInfo,
            section: .task,
            help: "fetch URL, as if it were given without --url"
        ) { options, value throws(UsageError) in
            options.urls.append(value.text)
        },
        Flag(
            ["--globoff", "-g"],
            section: .task,
            help: "use braces and brackets in URLs as they are",
            details: """
                Without it a URL of the command line stands for several: `{a,b}` for one with each of \
                the words, `[1-9]`, `[01-10]`, `[a-z]` and `[0-100:10]` for one with each of the \
                numbers or letters. Other brackets stand for themselves.
                """
        ) { $0.keepsGlobs = true },
        Flag(
            ["--wait"],
            value: "SECONDS",
            kind: .seconds,
            background: .hasOwnJobs,
            section: .task,
            help: "fetch one URL at a time, and wait SECONDS between them"
        ) { options, value throws(UsageError) in
            options.pause.length = try value.duration() ?? .zero
        },
        Flag(
            ["--random-wait"],
            background: .hasOwnJobs,
            section: .task,
            help: "vary the waits of --wait between 0.5 and 1.5 times SECONDS"
        ) { $0.pause.isRandom = true },
        Flag(
            ["--rate"],
            value: "N[/UNIT]",
            background: .hasOwnJobs,
            section: .task,
            help: "start at most N tasks per UNIT: s, m, h (the default) or d"
        ) { options, value throws(UsageError) in
            options.pause.interval = try TaskPause.interval(value)
        },
        Flag(
            ["--fail-early"],
            background: .hasOwnJobs,
            section: .task,
            help: "stop at the first URL that fails",
            details: """
                Without it every URL is tried, and the gravest exit status counts. What is given up \
                can be continued with --continue.
                """
        ) { $0.failsEarly = true },
    ]
}

/// What is waited between tasks: `--wait`, `--random-wait`, `--rate`.
struct TaskPause: Equatable, Sendable {
    /// From the end of one to the beginning of the next.
    var length: Duration = .zero
    /// Whether that is half to one and a half times as long.
    var isRandom = false
    /// From the beginning of one to that of the next.
    var interval: Duration = .zero

    var isNone: Bool { length == .zero && interval == .zero }

    /// The wait before the next task.
    ///
    /// - Parameter sinceBegin: the time since the last one has begun.
    /// - Returns: the wait; may be below zero.
    func wait(sinceBegin: Duration) -> Duration {
        let wait = isRandom ? length * Double.random(in: 0.5...1.5) : length
        return max(wait, interval - sinceBegin)
    }

    /// Reads curl's `N/UNIT`, where UNIT may be `s`, `m`, `h` or `d`, or is left out.
    static func interval(_ value: FlagValue) throws(UsageError) -> Duration {
        let parts = value.text[...].split(atFirst: UInt8(ascii: "/"))
        let units: [String: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let count = Int64(parts?.before ?? value.text[...]), count > 0,
            let unit = units[parts.map { String($0.after) } ?? "h"]
        else { throw value.invalid("is no rate", hint: "write it as 2/s, 100/m or 3/h") }
        return .milliseconds(unit * 1_000 / count)
    }
}

/// Where a list of URLs comes from.
enum URLListSource: Equatable, Sendable {
    case file(String)
    /// `-`
    case standardInput
}

extension Flags {
    static let many: [Flag] = [
        Flag(
            ["--input-file", "-i"],
            value: "FILE",
            reads: .init { [$0.list?.path] },
            help: "also fetch the URLs listed in FILE; - is standard input",
            details: """
                The list has one URL per line. Blanks around a URL, empty lines, and lines that \
                begin with `#` are ignored. The URLs follow those of the command line and are \
                read as they arrive, so a pipe may supply them for as long as it likes, and a \
                list may have any length. A line that is not a URL is an error of its own, and \
                the others are fetched. A `file:` URL is refused with exit status 11, unless \
                --allow-file-urls is given. Over plain HTTP, the user and password of --user are \
                sent to the origins of the command line's URLs. They are sent to the origins of \
                a list only if --auth names the method. After a tab, a line may give the name of \
                the file. After another tab, it may give its checksum, written as for \
                --checksum. Of several files with one name, the later ones are numbered. Another \
                run of the list numbers them anew, unless --timestamping or --no-clobber is given.
                """
        ) { options, value in
            let list = try InputPath(value)
            if let path = list.path, URLScanner.schemeEnd(of: path[...]) != nil,
                !FileFacts.exists(path)
            {
                throw UsageError.listAtURL(value)
            }
            options.list = list
        },
        Flag(
            ["--allow-file-urls"],
            help: "also fetch file: URLs listed in the --input-file",
            details: """
                Other people may have written a list. With this flag, it can name every file \
                that you may read. A `file:` URL on the command line does not need this flag.
                """
        ) { $0.allowsFileURLs = true },
        Flag(
            ["--jobs", "-j", "--parallel-max"],
            value: "N",
            help: "fetch N URLs at once (4)",
            details: """
                They share one session, and with it connections, cookies and passwords. Bodies \
                are written to standard output whole, in the order of the URLs. One that has to \
                wait is suspended once 1 MiB of it is in memory. If a server carries several \
                requests over one connection (HTTP/2), each of the N jobs counts for up to 32 \
                requests. With --dump-header -, the tasks run one after the other. Fewer run at \
                once if the limit of open files is too low for N, and cannot be raised.
                """
        ) { $0.jobs = try $1.integer(in: 1...1_000) },
        Flag(
            ["--url"],
            value: "URL",
            repeats: true,
            secret: .userInfo,
            help: "fetch URL, as if it were given without --url"
        ) { $0.urls.append($1.text) },
        Flag(
            ["--globoff", "-g"],
            help: "take braces and brackets in URLs as characters of the URL",
            details: """
                Without this flag, a URL on the command line may have patterns. `{a,b}` \
                produces one URL with each of the words. `[1-9]`, `[01-10]`, `[a-z]` and \
                `[0-100:10]` produce one with each of the numbers or letters. Other brackets \
                are literal; beside flags that only curl has, a pattern that curl refuses is an \
                error.
                """
        ) { $0.keepsGlobs = true },
        Flag(
            ["--wait"],
            value: "SECONDS",
            background: .hasOwnJobs,
            help: "fetch one URL at a time, and wait SECONDS between them"
        ) { $0.pause.length = try $1.duration() ?? .zero },
        Flag(
            ["--random-wait"],
            background: .hasOwnJobs,
            help: "vary the waits of --wait between 0.5 and 1.5 times SECONDS"
        ) { $0.pause.isRandom = true },
        Flag(
            ["--rate"],
            value: "N[/UNIT]",
            background: .hasOwnJobs,
            help: "start at most N tasks per UNIT: s, m, h (the default) or d"
        ) { $0.pause.interval = try TaskPause.interval($1) },
        Flag(
            ["--fail-early"],
            background: .hasOwnJobs,
            help: "stop at the first URL that fails",
            details: """
                Without this flag, every URL is tried, and the gravest exit status is used. \
                Downloads that are given up can be continued with --continue.
                """
        ) { $0.failsEarly = true },
    ]
}

/// The pause between tasks: `--wait`, `--random-wait`, `--rate`.
struct TaskPause: Equatable, Sendable {
    /// From the end of a task to the start of the next.
    var length: Duration = .zero
    /// Whether the pause is random, between half and one and a half times its length.
    var isRandom = false
    /// From the start of a task to the start of the next.
    var interval: Duration = .zero

    var isNone: Bool { length == .zero && interval == .zero }

    /// The wait before the next task, by the time since the start of the last one; may be negative.
    func wait(sinceBegin: Duration) -> Duration {
        let wait = isRandom ? length * Double.random(in: 0.5...1.5) : length
        return max(wait, interval - sinceBegin)
    }

    /// Parses curl's `N/UNIT`, where UNIT is `s`, `m`, `h` or `d`, and defaults to `h`.
    static func interval(_ value: FlagValue) throws(UsageError) -> Duration {
        let parts = value.text[...].split(atFirst: UInt8(ascii: "/"))
        let units: [String: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let count = Int64(parts?.before ?? value.text[...]), count > 0,
            let unit = units[parts.map { String($0.after) } ?? "h"]
        else { throw value.invalid("is not a rate", hint: "write it as 2/s, 100/m or 3/h") }
        return .milliseconds(unit * 1_000 / count)
    }
}

extension UsageError {
    /// The error of a list that is named by a URL, as wget allows.
    static func listAtURL(_ value: FlagValue) -> UsageError {
        value.invalidSecret(
            "a list is read from a file, and not from a URL",
            hint: "fetch the list first: fetch -O - URL | fetch -i -"
        )
    }
}

import URLLoading

extension Flags {
    /// What is done when a transfer breaks off.
    static let retries: [Flag] = [
        Flag(
            ["--continue", "-c"],
            excludes: [
                .init(
                    "--compressed",
                    because:
                        "parts are of the bytes that are stored, and the file has the unpacked ones"
                )
            ],
            section: .retries,
            help: "continue a partial download",
            details: """
                The part is NAME.part with its resume data, NAME.part.resume, as an earlier run has \
                left them. The server is asked for the rest under the condition that its file is \
                still the same (If-Range); where it is not, the whole comes again and replaces the \
                part. Where there is no resume data but a NAME.part or NAME, left by another \
                program, its last 64 KiB are asked for again and compared first; a difference means \
                to start over. NAME itself stays until the new file is whole. With a NAME that is \
                complete there is nothing to do, and the exit status is 0. NAME is replaced by what it \
                becomes, or where it cannot be gone on with by the whole new file. Another query \
                makes no other file of a URL where the server gives a strong ETag, so that links \
                which are signed for a time can be continued. With --timestamping the server first \
                says whether it has another file; where it has none, a NAME that is too short is \
                completed.
                """
        ) { $0.continues = true },
        Flag(
            ["--tries", "-t"],
            value: "N",
            kind: .number,
            section: .retries,
            help: "try N times in total (5); 0 is unlimited",
            details: """
                Tried again is what may be otherwise the next time: a name that could not be looked \
                up, a network or a host that cannot be reached, a connection that is reset, ends too \
                early or falls silent, a handshake of TLS that is cut off, and the statuses of \
                --retry-on. Not tried again are a name that does not exist, a server that does not \
                prove its identity, a malformed response, and all other statuses. Requests that \
                are safe to repeat are (GET, HEAD, PUT, DELETE, OPTIONS, TRACE); another, such as a \
                POST, is tried again only while none of it has left, whatever N is. It is the request \
                that failed which is sent again, be it that of a redirect; where its URL has run out \
                (401, 403, 404, 410), one more try begins at the first. A download goes on where it \
                stood, by the rules of --continue. A body is sent again from its first byte; if a file \
                has changed meanwhile, or a pipe was longer than --spool-limit, that ends with 13. On \
                standard output each byte comes once: the rest is asked for, on the condition that it \
                is of the same body, and where that cannot be, the exit status is 4. A try that has \
                brought more of a body is not counted, unless N is 1. Without this flag what goes to no \
                file is tried 3 times at most, and there is no further try 10 s after it was begun or \
                has last brought anything; and no try follows a Retry-After of more than 30 s, unless \
                --max-time is given.
                """
        ) { options, value throws(UsageError) in
            let tries = try value.integer(in: 0...Int(Int32.max))
            options.session.retries.tries = tries == 0 ? nil : tries
        },
        Flag(
            ["--waitretry"],
            value: "SECONDS",
            kind: .seconds,
            background: .hasOwnRetries,
            section: .retries,
            help: "wait at most SECONDS between tries (10)",
            details: """
                The waits are 1 s, 2 s, 4 s and so on, up to this; the second half of each is left to \
                chance. What a server asks for with Retry-After is obeyed as it is, up to 5 minutes, \
                or to SECONDS if that is more; see --tries for when it ends the run. There is no try \
                whose wait --max-time would not let end. A wait of more than 2 s is said, with \
                --quiet too.
                """
        ) { options, value throws(UsageError) in
            options.session.retries.longestWait = try value.duration() ?? .zero
        },
        Flag(
            ["--retry-delay"],
            value: "SECONDS",
            kind: .seconds,
            background: .hasOwnRetries,
            section: .retries,
            help: "always wait SECONDS between tries",
            details:
                "So the waits neither grow nor have chance in them. 0 is what --waitretry says."
        ) { options, value throws(UsageError) in
            options.session.retries.fixedWait = try value.duration()
        },
        Flag(
            ["--retry-max-time"],
            value: "SECONDS",
            kind: .seconds,
            background: .hasOwnRetries,
            section: .retries,
            help: "start no further try after SECONDS; 0 is no limit",
            details: "A try that is under way goes on; --max-time ends it."
        ) { options, value throws(UsageError) in
            options.session.retries.timeLimit = try value.duration().map { .sinceBeginning($0) }
        },
        Flag(
            ["--retry-on", "--retry-on-http-error"],
            value: "LIST",
            kind: .suggestion(["none"]),
            background: .hasOwnRetries,
            section: .retries,
            help: "retry after these statuses, or none",
            details: """
                Written as 503 or 429,500-599; without the flag they are 408, 429, 500, 502, 503 and \
                504. A status that --accept-status names is no error, and so not tried again.
                """
        ) { options, value throws(UsageError) in
            options.session.retries.statuses = StatusList()
            if value.text != "none" { try options.session.retries.statuses.add(value) }
        },
        Flag(
            ["--retry-connrefused"],
            section: .retries,
            help: "retry after a refused connection too"
        ) { $0.session.retries.retriesRefused = true },
        Flag(
            ["--retry-all-errors"],
            background: .hasOwnRetries,
            section: .retries,
            help: "retry after every error",
            details: """
                Also after a status of 400 or above that --retry-on does not name, a name that does \
                not exist, a certificate that proves nothing, and a malformed response. Which requests \
                are repeated stays as it is.
                """
        ) { options in
            options.session.retries.retriesAllErrors = true
            options.session.retries.retriesRefused = true
        },
        Flag(
            ["--speed-limit"],
            value: "RATE",
            kind: .byteSize,
            background: .hasOwnRetries,
            section: .retries,
            help: "give up a try that is slower than RATE bytes a second for --speed-time (30 s)",
            details: "It counts as one that has fallen silent, and is tried again as such."
        ) { options, value throws(UsageError) in
            options.speedLimit = try value.byteSize()
        },
        Flag(
            ["--speed-time"],
            value: "SECONDS",
            kind: .seconds,
            background: .hasOwnRetries,
            section: .retries,
            help: "allow a try to be slower than --speed-limit (1) for SECONDS (whole seconds)",
            details: "0 is no limit."
        ) { options, value throws(UsageError) in
            options.speedTime = try value.duration()
            if options.speedTime == nil { options.speedLimit = nil }
        },
    ]
}

extension StatusList {
    /// Adds what a flag lists.
    mutating func add(_ value: FlagValue) throws(UsageError) {
        for item in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: "-", omittingEmptySubsequences: false).map(Self.status)
            switch (ends.first ?? nil, ends.last ?? nil) {
            case (let first?, let last?) where ends.count <= 2 && first <= last:
                add(first...last)
            default:
                throw value.invalid(
                    "is not a list of statuses",
                    hint: "write it as 404 or 404,410-412; a status has three digits"
                )
            }
        }
    }

    private static func status(_ text: Substring) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let status = Int(text), status >= 100
        else { return nil }
        return status
    }
}

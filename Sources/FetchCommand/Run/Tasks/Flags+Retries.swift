import URLLoading

extension Flags {
    static let retries: [Flag] = [
        Flag(
            ["--continue", "-c"],
            excludes: .init(
                "--compressed",
                because:
                    "a part has the stored bytes, and --compressed saves decoded ones"
            ),
            help: "continue a partial download",
            details: """
                The part is NAME.part with its resume data, NAME.part.resume, as an earlier run \
                left them. The rest is requested on the condition that the server's file is \
                still the same (If-Range). If it is not, the whole file is sent again and \
                replaces the part. A NAME.part or NAME without resume data may have been left by \
                another program. Its last 64 KiB are then requested again and compared first; if \
                they differ, the download starts over. NAME itself is kept until the new file is \
                complete. If NAME is already complete, there is nothing to do, and the exit \
                status is 0. NAME is replaced by the continued file, or by the whole new file if \
                it cannot be continued. If the server sends a strong ETag, a different query in \
                the URL does not matter, so downloads by signed links can be continued. With \
                --timestamping, the server is first asked whether its file has changed; if not, \
                an incomplete NAME is completed.
                """
        ) { $0.continues = true },
        Flag(
            ["--tries", "-t"],
            value: "N",
            help: "try N times in total (5); 0 is unlimited",
            details: """
                A try is repeated if the next one may succeed. Such errors are: a name that \
                could not be looked up, a network or host that cannot be reached, a connection \
                that is reset, ends early or falls silent, an interrupted TLS handshake, and the \
                statuses of --retry-on. Not repeated are: a name that does not exist, a server \
                that cannot prove its identity, a malformed response, and all other statuses. \
                Requests that are safe to repeat are repeated (GET, HEAD, PUT, DELETE, OPTIONS, \
                TRACE). Any other, such as a POST, is repeated only if none of it was sent, \
                whatever N is. The failed request itself is sent again, also after redirects. If \
                its URL has expired (401, 403, 404, 410), one more try begins at the first URL. \
                A download continues where it stopped, by the rules of --continue. A body is \
                sent again from its first byte. If its file has changed meanwhile, or a pipe was \
                longer than --spool-limit, the exit status is 13. Each byte is written to \
                standard output once. The rest is requested on the condition that it belongs to \
                the same body, and if that is impossible, the exit status is 4. A try that has \
                received more of a body is not counted, unless N is 1. Without this flag, a body \
                for standard output is tried at most 3 times, and not after 10 s without new \
                bytes. Nor does a try then follow a Retry-After of more than 30 s, unless \
                --max-time is given.
                """
        ) { options, value in
            // wget's word.
            let tries = value.text == "inf" ? 0 : try value.integer(in: 0...Int(Int32.max))
            options.session.retries.tries = tries == 0 ? nil : tries
        },
        Flag(
            ["--waitretry"],
            value: "SECONDS",
            background: .hasOwnRetries,
            help: "wait at most SECONDS between tries (10)",
            details: """
                The waits are 1 s, 2 s, 4 s and so on, up to SECONDS. The second half of each \
                wait is random. Retry-After is obeyed as the server sends it, up to 5 minutes, \
                or up to SECONDS if that is more; --tries says when it ends the run. No try \
                begins if --max-time would run out during the wait. A wait of more than 2 s is \
                reported, also with --quiet.
                """
        ) { $0.session.retries.longestWait = try $1.duration() ?? .zero },
        Flag(
            ["--retry-delay"],
            value: "SECONDS",
            background: .hasOwnRetries,
            help: "always wait SECONDS between tries",
            details: "The waits do not grow and are not random. 0 means the waits of --waitretry."
        ) { $0.session.retries.fixedWait = try $1.duration() },
        Flag(
            ["--retry-max-time"],
            value: "SECONDS",
            background: .hasOwnRetries,
            help: "start no further try after SECONDS; 0 is no limit",
            details: "A try that has begun is not interrupted; --max-time does that."
        ) { $0.session.retries.timeLimit = try $1.duration().map { .sinceBeginning($0) } },
        Flag(
            ["--retry-on", "--retry-on-http-error"],
            value: "LIST",
            kind: .suggestion(["none"]),
            background: .hasOwnRetries,
            help: "retry after these statuses, or none",
            details: """
                LIST is written as 503 or 429,500-599. The default is 408, 429, 500, 502, 503 \
                and 504. A status of --accept-status is not an error, and so not repeated.
                """
        ) { options, value in
            options.session.retries.statuses = StatusList()
            if value.text != "none" { try options.session.retries.statuses.add(value) }
        },
        Flag(
            ["--retry-connrefused"],
            help: "retry after a refused connection too"
        ) { $0.session.retries.retriesRefused = true },
        Flag(
            ["--retry-all-errors"],
            background: .hasOwnRetries,
            help: "retry after every error",
            details: """
                This includes statuses of 400 or above that --retry-on does not name, names that \
                do not exist, invalid certificates, and malformed responses. It does not change \
                which requests may be repeated.
                """
        ) { options in
            options.session.retries.retriesAllErrors = true
            options.session.retries.retriesRefused = true
        },
        Flag(
            ["--speed-limit"],
            value: "RATE",
            background: .hasOwnRetries,
            help: "give up a try that is slower than RATE bytes a second for --speed-time (30 s)",
            details: "Such a try counts as a timeout, and is retried."
        ) { $0.speedLimit = try $1.byteSize() },
        Flag(
            ["--speed-time"],
            value: "SECONDS",
            background: .hasOwnRetries,
            help: "allow a try to be slower than --speed-limit (1) for SECONDS (whole seconds)",
            details: "0 is no limit."
        ) { options, value in
            options.speedTime = try value.duration()
            if options.speedTime == nil { options.speedLimit = nil }
        },
    ]
}

extension StatusList {
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
        Int(digits: text).flatMap { text.utf8.count == 3 && $0 >= 100 ? $0 : nil }
    }
}

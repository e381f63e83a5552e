import URLLoading

extension Flags {
    /// Flags for time limits and rates.
    static let session: [Flag] = [
        Flag(
            ["--timeout", "-T", "--read-timeout"],
            value: "SECONDS",
            kind: .seconds,
            help: "give up after SECONDS without data (60); 0 is never",
            details: """
                The clock starts again with every byte in either direction. It is stopped while \
                the body to send has nothing ready. A duration may have a unit: 500ms, 10s, 2m, \
                1h, 1d.
                """
        ) { options, value in
            do throws(UsageError) {
                options.session.settings.timeoutForRequest = try value.timeout()
            } catch .invalidValue(let flag, let text, let reason, _) where flag == "-T" {
                throw UsageError.invalidValue(
                    flag: flag,
                    value: text,
                    reason: reason,
                    hint: "-T is wget's time-out: 10 or 0.5; to send a file: --upload-file FILE"
                )
            }
        },
        Flag(
            ["--connect-timeout"],
            value: "SECONDS",
            kind: .seconds,
            help: "give up connecting after SECONDS",
            details: """
                Looking the name up, connecting and the handshake of TLS count together. Without \
                this flag, or with 0, the time-out of --timeout decides.
                """
        ) { options, value in
            let timeout = try value.timeout()
            options.transport.connectTimeout = timeout < .infinity ? timeout : nil
        },
        Flag(
            ["--max-time", "-m"],
            value: "SECONDS",
            kind: .seconds,
            help: "give up a task after SECONDS in total; 0 is never",
            details: "Redirects do not start it again. The exit status is 124."
        ) { $0.session.settings.timeoutForResource = try $1.timeout() },
        Flag(
            ["--max-connections-per-host"],
            value: "N",
            kind: .number,
            help: "open at most N connections to one host (6)",
            details: "Further requests wait, or share a connection over HTTP/2."
        ) { $0.session.maximumConnectionsPerHost = try $1.integer(in: 1...1_000) },
        Flag(
            ["--limit-rate"],
            value: "RATE",
            kind: .byteSize,
            help: "receive and send at most RATE bytes a second, as in 100k or 1.5M",
            details: """
                The limit is for all URLs together. k, M, G and T are powers of 1024. 0 is no limit.
                """
        ) { $0.transport.maximumBytesPerSecond = try $1.byteSize() ?? 0 },
    ]
}

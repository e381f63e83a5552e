extension Flags {
    /// How long, and how fast.
    static let session: [Flag] = [
        Flag(
            ["--timeout", "-T"],
            value: "SECONDS",
            kind: .seconds,
            section: .session,
            help: "give up after this long without a byte (60); 0 is never",
            details: "A unit may follow a length of time: 500ms, 10s, 2m, 1h."
        ) { options, value throws(UsageError) in
            do throws(UsageError) {
                options.idleTimeout = try value.duration()
            } catch .invalidValue(let flag, let text, let reason, _) where flag == "-T" {
                throw .invalidValue(
                    flag: flag,
                    value: text,
                    reason: reason,
                    hint: "-T is the time-out, as in wget; to send a file: --upload-file FILE"
                )
            }
        },
        Flag(
            ["--connect-timeout"],
            value: "SECONDS",
            kind: .seconds,
            section: .session,
            help: "give up connecting after this long"
        ) { options, value throws(UsageError) in
            options.connectTimeout = try value.duration()
        },
        Flag(
            ["--max-time"],
            value: "SECONDS",
            kind: .seconds,
            section: .session,
            help: "give up a task after this long in all"
        ) { options, value throws(UsageError) in
            options.maxTime = try value.duration()
        },
        Flag(
            ["--limit-rate"],
            value: "RATE",
            kind: .byteSize,
            section: .session,
            help: "receive and send at most RATE bytes a second, as in 100k or 1.5M"
        ) { options, value throws(UsageError) in
            options.limitRate = try value.byteSize()
        },
    ]
}

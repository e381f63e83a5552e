import URLLoading

extension Flags {
    /// What bodies are coded in.
    static let content: [Flag] = [
        Flag(
            ["--compressed"],
            excludes: [
                .init(
                    "--no-compressed",
                    "--compression",
                    because: "a body is unpacked or it is not"
                )
            ],
            section: .request,
            help:
                "request a compressed body and decompress it, also with your own Accept-Encoding",
            details: """
                What goes to standard output is asked for compressed, and unpacked (gzip, deflate, br \
                and zstd), without this flag too, unless --header sets Accept-Encoding. What is saved \
                as a file is asked for so with this flag alone: the file then has the unpacked body, \
                of which --checksum speaks too, and one that came compressed begins anew where it \
                broke off. Without it a file has the bytes that the server has stored, of which parts \
                speak; where they come compressed all the same, that is said.
                """
        ) { $0.contentDecoding = .always },
        Flag(
            ["--no-compressed"],
            section: .request,
            help: "do not request or decompress compressed bodies"
        ) { $0.decode(.never) },
        Flag(
            ["--compression"],
            value: "WHICH",
            kind: .choice(compressions),
            section: .request,
            help: "decompress bodies: auto (on standard output) or none",
            details: "wget's word: `none` is --no-compressed, `auto` is what happens anyway."
        ) { options, value throws(UsageError) in
            options.decode(try value.choice(compressions, [.automatic, .never]))
        },
        Flag(
            ["--raw"],
            excludes: [
                .init(
                    "--compressed",
                    because:
                        "a body is unpacked or it is not; -H 'Accept-Encoding: gzip' asks alone"
                ),
                .init(
                    "--continue",
                    "--timestamping",
                    "--range",
                    "--checksum",
                    "--checksum-from",
                    because: "bodies are compared and counted without their chunk headers"
                ),
            ],
            section: .request,
            help:
                "write the body as received, with its chunk headers and still compressed",
            details: """
                Such a body is neither cached nor compared with a digest that the server gives, and one \
                in chunks begins anew where it breaks off.
                """
        ) { $0.contentDecoding = .raw },
        Flag(
            ["--force"],
            background: .makesFiles,
            section: .request,
            help: "print binary bodies on a terminal too",
            details: """
                A body with NUL bytes among its first 2000 is not printed on a terminal, which could \
                be left in disorder; the exit status is 11 then. -O - given twice does the same.
                """
        ) { $0.responses.forcesTerminal = true },
    ]

    private static let compressions = ["auto", "none"]
}

extension Options {
    /// Takes a way to decode; `--raw` says more.
    fileprivate mutating func decode(_ decoding: URLSessionConfiguration.ContentDecoding) {
        if contentDecoding != .raw { contentDecoding = decoding }
    }
}

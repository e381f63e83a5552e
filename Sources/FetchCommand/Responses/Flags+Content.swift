import URLLoading

extension Flags {
    static let content: [Flag] = [
        Flag(
            ["--compressed"],
            excludes: [
                .init("--no-compressed", "--compression", because: "they contradict each other")
            ],
            help:
                "request a compressed body and decompress it, also with your own Accept-Encoding",
            details: """
                Bodies for standard output are always requested compressed, and decoded (gzip, \
                deflate, br and zstd), unless --header sets Accept-Encoding. Bodies for files \
                are requested compressed only with this flag. The file then has the decoded \
                body, and --checksum applies to that. If the connection is lost, such a download \
                begins again. Without this flag, a file has the bytes that the server has \
                stored, and can be continued. If those are compressed all the same, a message \
                says so.
                """
        ) { $0.contentDecoding = .always },
        Flag(
            ["--no-compressed"],
            help: "do not request or decompress compressed bodies"
        ) { $0.decode(.never) },
        Flag(
            ["--compression"],
            value: "WHICH",
            kind: .choice(compressions),
            help: "decompress bodies: auto (on standard output) or none",
            details: "This is wget's flag: `none` is --no-compressed, and `auto` is the default."
        ) { $0.decode(try $1.choice(compressions, [.automatic, .never])) },
        Flag(
            ["--raw"],
            excludes: [
                .init(
                    "--compressed",
                    because:
                        "they contradict each other; -H 'Accept-Encoding: gzip' requests without decoding"
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
            help:
                "write the body as received, with its chunk headers and still compressed",
            details: """
                Such a body is not cached, and not compared with a digest that the server sends. \
                A chunked one begins again if the connection is lost.
                """
        ) { $0.contentDecoding = .raw },
        Flag(
            ["--force"],
            background: .makesFiles,
            help: "print binary bodies on a terminal too",
            details: """
                A body with NUL bytes among its first 2000 is not printed on a terminal, because \
                that could leave the terminal unusable; the exit status is 11. -O - given twice \
                does the same as this flag.
                """
        ) { $0.responses.forcesTerminal = true },
    ]

    private static let compressions = ["auto", "none"]
}

extension Options {
    /// Sets how bodies are decoded; `--raw` takes precedence.
    fileprivate mutating func decode(_ decoding: URLSessionConfiguration.ContentDecoding) {
        if contentDecoding != .raw { contentDecoding = decoding }
    }
}

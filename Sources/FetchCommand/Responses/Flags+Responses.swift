import URLLoading

extension Flags {
    static let responses: [Flag] = [
        Flag(
            ["--auto"],
            excludes: .init("--continue", because: "only a file can be continued"),
            background: .makesFiles,
            help: "choose between a file and standard output by the response",
            details: """
                If standard output is not a terminal, the body goes there. On a terminal, text \
                is printed if it has at most 1 MiB, or an unknown length. Everything else is \
                saved under the URL's own name, decoded as for the terminal. Text is `text/*`, \
                JSON, XML, JavaScript and YAML. A response without a type is not text.
                """
        ) { $0.decidesByResponse = true },
        Flag(
            ["--range", "-r"],
            value: "RANGE",
            excludes: .init("--continue", because: "only a whole file can be continued"),
            background: .asksForURLs,
            section: .request,
            help: "fetch only these bytes: 0-499, 500- or, for the last 500, -500",
            details: """
                If the server sends anything else, such as the whole, nothing is written, and \
                the exit status is 7. If the connection is lost, the part is requested again \
                from its beginning.
                """
        ) { $0.responses.range = try ByteRange($1) },
        Flag(
            ["--accept-type"],
            value: "GLOB",
            repeats: true,
            background: .makesFiles,
            help: "refuse bodies whose media type does not match GLOB, such as image/*",
            details: """
                Several patterns may be separated by commas. Parameters such as the charset, and \
                upper and lower case, do not matter. A response without a Content-Type counts as \
                `application/octet-stream`. A refused body is not read, no file is touched, and \
                the exit status is 11.
                """
        ) { options, value in
            let text = try value.nonEmpty("a media type")
            for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                options.responses.acceptedTypes.append(try MediaTypePattern(item, of: value))
            }
        },
        Flag(
            ["--max-filesize"],
            value: "SIZE",
            help: "refuse bodies larger than SIZE",
            details: """
                Units are k, M, G and T, in powers of 1024; 0 is no limit. If the length is \
                known, nothing is read and no file is touched. Otherwise the transfer ends as \
                soon as the limit is exceeded. A file is removed then, and standard output has \
                received at most SIZE bytes. The limit applies to a decoded body before and \
                after decoding. The exit status is 11.
                """
        ) { $0.responses.maxFileSize = try $1.byteSize() },
        Flag(
            ["--accept-status"],
            value: "LIST",
            repeats: true,
            background: .failsOnErrors,
            section: .messages,
            help: "treat these statuses as success, such as 404,410-412",
            details: """
                Their bodies are delivered like any other, and the exit status is 0. For 401 and \
                407, credentials are tried first.
                """
        ) { try $0.responses.acceptedStatuses.add($1) },
        Flag(
            ["--error-body"],
            value: "FILE",
            background: .makesFiles,
            section: .messages,
            help: "save the body as FILE when the status is 400 or above",
            details: """
                FILE is replaced when that body is complete. A device or a pipe is written to. \
                Other responses do not touch FILE. The exit status does not change.
                """
        ) { $0.errorBody = try $1.path() },
    ]
}

extension Conflicts {
    /// Throws for flags that a local URL does not support; it can only be read as a whole.
    static func checkLocal(_ address: WebAddress, _ options: Options) throws(UsageError) {
        let method = options.otherMethod.map { "--request \($0)" }
        let others = [
            "--head", "--range", "--continue", "--timestamping", "--request-target", "--etag-save",
            "--etag-compare",
        ]
        let flag = bodyFlags(options).first ?? method ?? others.first(where: options.given.contains)
        guard let flag else { return }
        throw .conflict(flag, "a \(address.scheme) URL", reason: "it can only be read, as a whole")
    }

    /// Throws if the file of `--error-body` is also the destination of a body.
    static func check(_ errorBody: Destination?, against task: TaskPlan) throws(UsageError) {
        guard let file = errorBody?.file, let place = FilePlace(file.path),
            let other = task.kind.file,
            FilePlace(other.path) == place
                || FileDestination.pathsBeside(other.path).contains(where: {
                    FilePlace($0, followsLink: false) == place
                })
        else { return }
        let body = "a body to \(Printable.text(other.path))"
        throw .conflict("--error-body", body, reason: "both would write to the same file")
    }

    static func checkResponses(_ options: Options) throws(UsageError) {
        if options.decidesByResponse {
            if options.output != nil {
                throw .conflict(
                    "--auto",
                    "--output",
                    reason: "both set the destination of the body"
                )
            }
            if options.headFlag != nil {
                throw .conflict("--auto", "--head", reason: "there is no body")
            }
        }
        if options.responses.includesHead {
            let file = options.output?.path.map { "--output \(Printable.text($0))" }
            if let other = file ?? (options.usesOwnNames ? "--remote-name" : nil) {
                throw .conflict(
                    "--include",
                    other,
                    reason: "a file contains only the body; --dump-header FILE saves the header"
                )
            }
        }
        guard options.responses.range != nil else { return }
        if let flag = bodyFlags(options).first {
            throw .conflict("--range", flag, reason: "only a GET can request a range")
        }
    }
}

extension Flags {
    static let content: [Flag] = [
        Flag(
            ["--compressed"],
            excludes: .init(
                "--no-compressed",
                "--compression",
                because: "they contradict each other"
            ),
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
            excludes: .init(
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

import Glibc
import URLLoading

// Conflicts about the request's body.
extension Conflicts {
    /// The flags given for a body, one for each kind; only one kind may be given.
    static func bodyFlags(_ options: Options) -> [String] {
        var flags: [String] = []
        if !options.data.isEmpty { flags.append("--data") }
        if !options.json.isEmpty { flags.append("--json") }
        if !options.form.isEmpty { flags.append("--form") }
        if let upload = options.upload {
            flags.append(upload.kind == .put ? "--upload-file" : "--post-file")
        }
        return flags
    }

    static func checkBody(_ options: Options) throws(UsageError) {
        let flags = bodyFlags(options)
        if options.contentLength != nil {
            if !options.form.isEmpty {
                throw .conflict(
                    "--content-length",
                    "--form",
                    reason: "the length is computed from the form"
                )
            }
            // A regular file's length is checked when the task starts.
            let isStreamed = (options.data + options.json).contains { piece in
                switch piece.source {
                case .read(.standardInput): true
                case .read(.file(let path)): FilePlace(path)?.kind == S_IFIFO
                case .text: false
                }
            }
            guard isStreamed || options.upload != nil else {
                throw .unusable(
                    flag: "--content-length",
                    reason: "the body comes from neither standard input nor a FIFO",
                    hint: "--upload-file - sends standard input"
                )
            }
        }
        guard let first = flags.first else { return }
        if flags.count > 1 { throw .conflict(first, flags[1], reason: "a request has one body") }
        if let flag = options.headFlag {
            throw .conflict(flag, first, reason: "a HEAD request has no body")
        }
    }

    static func checkStandardInput(_ options: Options) throws(UsageError) {
        if options.query.contains(where: { $0.source == .read(.standardInput) }) {
            throw .conflict(
                "--get",
                "standard input",
                reason: "a query cannot come from standard input; use a file"
            )
        }
        let pieces = options.data + options.json
        let secrets = [options.user, options.password, options.bearer, options.cookie]
        let inputs =
            secrets.count { $0 == .standardInput }
            + pieces.count { $0.source == .read(.standardInput) }
            + options.form.count { $0.source == .read(.standardInput) }
            + (options.upload?.source == .standardInput ? 1 : 0)
            + (options.writeOut == .read(.standardInput) ? 1 : 0)
            + (options.list == .standardInput ? 1 : 0)
        guard inputs > 0 else { return }
        guard inputs == 1 else {
            let flag = bodyFlags(options).first ?? "--password"
            let other =
                options.list == .standardInput
                ? "--input-file -"
                : options.writeOut == .read(.standardInput) ? "--write-out @-" : "\(flag) -"
            throw .conflict("\(flag) -", other, reason: "standard input can be read only once")
        }
        guard pieces.count <= 1 else {
            let flag = bodyFlags(options).first ?? "--data"
            throw .conflict(
                "\(flag) @-",
                "another \(flag)",
                reason: "standard input is sent as a stream"
            )
        }
        guard
            options.urls.count == 1 && options.list == nil || secrets.contains(.standardInput)
                || options.writeOut == .read(.standardInput) || options.list == .standardInput
        else {
            throw .conflict("standard input", "several URLs", reason: "it can be read only once")
        }
    }

    /// Throws if another flag reads standard input, of which `--header @-` leaves nothing.
    static func checkHeaderInput(_ options: Options) throws(UsageError) {
        let headers = options.headers.count { $0 == .file(.standardInput) }
        guard headers > 0 else { return }
        let sources = (options.data + options.json).map(\.source) + options.form.map(\.source)
        let sendsInput =
            sources.contains(.read(.standardInput)) || options.upload?.source == .standardInput
        let others = [
            ("another --header @-", headers > 1),
            ("--input-file -", options.list == .standardInput),
            ("--write-out @-", options.writeOut == .read(.standardInput)),
            ("--checksum-from -", options.checksumSource == .read(.standardInput)),
            ("\(options.inputSecret ?? "") @-", options.inputSecret != nil),
            ("\(bodyFlags(options).first ?? "--data") -", sendsInput),
        ]
        guard let other = others.first(where: \.1) else { return }
        throw .conflict("--header @-", other.0, reason: "standard input can be read only once")
    }
}

extension Options {
    /// The first flag whose secret is a line of standard input.
    var inputSecret: String? {
        let secrets = [
            ("--user", user), ("--password", password), ("--bearer", bearer), ("--cookie", cookie),
            ("--proxy-user", proxyUser), ("--private-key-password", keyPassword),
        ]
        return secrets.first { $0.1 == .standardInput }?.0
    }
}

import Glibc
import URLLoading

/// Flags that cannot be obeyed together.
enum Conflicts {
    /// Throws the first conflict there is.
    static func check(_ options: Options) throws(UsageError) {
        try checkBackground(options)
        guard options.backgroundOrder == nil else { return }
        if let order = options.sessionOrder { return try check(order, options) }
        try checkURLs(options)
        try checkBody(options)
        try checkStandardInput(options)
        if options.directory != nil, !options.decidesByAnswer, let flag = bodyFlags(options).first {
            throw .conflict(
                "--directory-prefix",
                flag,
                reason: "the answer to a body goes to standard output, or to -O FILE"
            )
        }
        if options.getsData, let flag = bodyFlags(options).first {
            throw .conflict("--get", flag, reason: "a query is made of --data alone")
        }
        if options.head, let method = options.method, method != .head {
            throw .conflict("--head", "--request", reason: "--head is the method HEAD")
        }
        try checkDeclared(options)
        try checkMessage(options)
        try checkEntityTags(options)
        try checkContinuing(options)
        try checkSplitting(options)
        try checkAnswers(options)
        try checkNaming(options)
        try checkTimestamping(options, bodyFlags: bodyFlags(options))
        try checkIntegrity(options)
        try checkAuthentication(options)
        try checkCookies(options)
        if let min = options.session.settings.tlsMinimum,
            let max = options.session.settings.tlsMaximum, min.rawValue > max.rawValue
        {
            throw .conflict(
                "--tls-min \(Flags.word(for: min))",
                "--tls-max \(Flags.word(for: max))",
                reason: "no version is left"
            )
        }
        if options.certificate.keyFile != nil, options.certificate.file.isEmpty {
            throw .invalidValue(
                flag: "--private-key",
                value: nil,
                reason: "a key proves nothing alone",
                hint: "--certificate FILE names the certificate it belongs to"
            )
        }
        if options.keyPassword != nil, options.certificate.file.isEmpty {
            throw .invalidValue(
                flag: "--private-key-password",
                value: nil,
                reason: "there is no key for it",
                hint: "--certificate FILE and --private-key FILE name certificate and key"
            )
        }
    }

    /// What flags say of each other.
    private static func checkDeclared(_ options: Options) throws(UsageError) {
        for place in Flags.all.indices where !Flags.all[place].excludes.isEmpty {
            let flag = Flags.all[place]
            guard options.given.contains(flag.names[0]) else { continue }
            for exclusion in flag.excludes {
                for other in exclusion.flags {
                    guard let name = Flags.named(other)?.names[0], options.given.contains(name)
                    else { continue }
                    let own = exclusion.name ?? flag.names[0]
                    throw .conflict(own, other, reason: exclusion.reason)
                }
            }
        }
    }

    /// What is continued is the body of a plain GET.
    private static func checkContinuing(_ options: Options) throws(UsageError) {
        guard options.continues else { return }
        let ownFields = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        let field = options.headers.lazy.map(\.name).first { name in
            ownFields.contains { HTTPHeaderFields.areSame($0, name) }
        }
        let other =
            options.head ? "--head" : options.method.flatMap { $0 == .get ? nil : "--request" }
        guard let flag = bodyFlags(options).first ?? other ?? field.map({ "--header \($0)" }) else {
            return
        }
        throw .conflict(
            "--continue",
            flag,
            reason: "what can be continued is a file that a plain GET fetches"
        )
    }

    private static func checkURLs(_ options: Options) throws(UsageError) {
        guard options.urls.isEmpty, options.list == nil else { return }
        // Switches of wget's that take what follows for their value here.
        if case .text(let text)? = options.data.last?.source, text.contains("://") {
            throw .missingURL(hint: "-d takes what is sent; wget's -d is --verbose here")
        }
        if options.namesProxy {
            throw .missingURL(hint: "-x takes a proxy; wget's -x is --force-directories here")
        }
        throw .missingURL(hint: "\(HelpText.usage); 'fetch --help' lists the options")
    }

    /// The flags that give a body, by kind: only one kind can.
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

    private static func checkBody(_ options: Options) throws(UsageError) {
        let flags = bodyFlags(options)
        if options.contentLength != nil {
            if !options.form.isEmpty {
                throw .conflict(
                    "--content-length",
                    "--form",
                    reason: "a form has the length of its parts"
                )
            }
            // Whether a file has a length is seen when it is looked at.
            let isStreamed = (options.data + options.json).contains { piece in
                switch piece.source {
                case .standardInput: true
                case .file(let path): FilePlace(path)?.kind == S_IFIFO
                default: false
                }
            }
            guard isStreamed || options.upload != nil else {
                throw .invalidValue(
                    flag: "--content-length",
                    value: nil,
                    reason: "neither standard input nor a FIFO is sent",
                    hint: "--upload-file - sends standard input"
                )
            }
        }
        guard let first = flags.first else { return }
        if flags.count > 1 {
            throw .conflict(first, flags[1], reason: "a request has one body")
        }
        if options.head || options.method == .head {
            let flag = options.head ? "--head" : "--request HEAD"
            throw .conflict(flag, first, reason: "a request for the header alone has no body")
        }
    }

    private static func checkStandardInput(_ options: Options) throws(UsageError) {
        if options.query.contains(where: { $0.source == .standardInput }) {
            throw .conflict("--get", "standard input", reason: "a query is short; name a file")
        }
        let pieces = options.data + options.json
        let secrets = [options.user, options.password, options.bearer, options.cookie]
        let inputs =
            secrets.count { $0 == .standardInput } + pieces.count { $0.source == .standardInput }
            + options.form.count { $0.source == .standardInput }
            + (options.upload?.source == .standardInput ? 1 : 0)
            + (options.writeOut == .standardInput ? 1 : 0)
            + (options.list == .standardInput ? 1 : 0)
        guard inputs > 0 else { return }
        guard inputs == 1 else {
            let flag = bodyFlags(options).first ?? "--password"
            let other =
                options.list == .standardInput
                ? "--input-file -"
                : options.writeOut == .standardInput ? "--write-out @-" : "\(flag) -"
            throw .conflict("\(flag) -", other, reason: "standard input can be read once")
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
                || options.writeOut == .standardInput || options.list == .standardInput
        else {
            throw .conflict(
                "standard input",
                "several URLs",
                reason: "it can be read once"
            )
        }
    }
}

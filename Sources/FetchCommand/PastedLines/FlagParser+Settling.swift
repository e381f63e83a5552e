import URLLoading

// Decisions that depend on all arguments.
extension FlagParser {
    /// Spellings whose meaning depends on the other arguments.
    struct Spelled {
        /// The arguments that `-O` took as its values.
        var wgetOutputs: [OutputArgument] = []
        /// The values of `-o`.
        var curlOutputs: [String] = []
        /// Whether `-C` has an offset.
        var hasOffset = false
        var newer = false
        var heads = false
        /// Whether the arguments have `--no-clobber`, which is also curl's, and not `-nc`.
        var keepsFiles = false
        /// Whether the arguments have `-p`.
        var tunnels = false
        /// How many files to upload the arguments name.
        var uploads = 0
        /// How many outputs the options had before this parse.
        var knownOutputs = 0
        /// Whether the arguments have a flag that only wget has.
        var wgets = false
        /// Whether the arguments have curl's `--netrc`.
        var netrc = false
        /// A file of `-z` that is missing, and the error that this is if the body gets another name.
        var missingFile: (name: String, error: UsageError)?
        /// The scheme of a URL without one; `nil`: the host decides.
        var defaultScheme: String?
    }

    /// A value of `-O`, which is a URL if `-O` is curl's.
    struct OutputArgument {
        let text: String
        /// Its index among the outputs.
        let output: Int
        /// How many URLs are before it.
        let urls: Int
    }

    /// Resolves ambiguous flags, and assigns the names of `-O` to the URLs.
    mutating func settle() throws(UsageError) {
        if spelled.tunnels, !options.namesProxy { throw AmbiguousLetter.tunnel.error("-p") }
        // For an upload, curl's -C is the offset in the file that is sent.
        if spelled.hasOffset, options.upload?.kind == .put,
            case .from(let offset)? = options.responses.range
        {
            options.uploadOffset = offset
            options.responses.range = nil
            options.given.remove("--range")
            options.given.insert("--upload-offset")
        }
        findURLsAmongOutputs()
        try checkOutputs()
        if let missing = spelled.missingFile, !options.outputs.contains(.path(missing.name)) {
            throw missing.error
        }
        if let scheme = spelled.defaultScheme {
            options.urls = options.urls.map { text in
                let hasScheme = text.contains("://") || (try? WebAddress.local(text)) != nil
                return hasScheme ? text : "\(scheme)://\(text)"
            }
        }
        if options.usesCurlFlags {
            // With curl, -N is --no-buffer and -S is --show-error.
            if spelled.newer {
                options.timestamping = false
                options.given.remove("--timestamping")
            }
            if spelled.heads { options.showsResponseHeaders = false }
            // With curl, --no-clobber numbers the new file.
            if spelled.keepsFiles {
                options.noClobber = false
                options.given.remove("--no-clobber")
                options.numbersFiles = true
            }
        }
        // curl passes credentials to redirects only if it sent them without a challenge.
        if options.session.trustsRedirects, options.authentication == .any {
            options.authentication = .basic
        }
        // curl sends credentials with the first request. A list's URLs are excluded.
        if options.usesCurlFlags, !options.given.contains("--auth"), options.list == nil,
            spelled.netrc || !options.given.isDisjoint(with: ["--user", "--netrc-file"])
                || options.urls.contains(where: Self.hasCredential)
        {
            options.authentication = .basic
        }
        // curl without -L reports a redirect, and does not follow it. A body that is kept needs the
        // redirect's target.
        if case .text(let format)? = options.writeOut,
            format.contains("%{redirect_url}")
                || options.output == .path("/dev/null")
                    && ["%{http_code}", "%{response_code}"].contains(where: format.contains),
            options.given.isDisjoint(with: ["--location", "--location-trusted", "--redirect"])
        {
            options.session.redirects = .none
        }
        if options.getsData {
            options.query += options.data
            options.data = []
        }
        // Names on the command line take precedence over those of the configuration file.
        if options.outputs.count > spelled.knownOutputs {
            options.outputs.removeFirst(spelled.knownOutputs)
        }
        try expand()
    }

    /// Takes values of `-O` for URLs, as in curl, where that leaves a name for each URL.
    ///
    /// Such a value has a path. If other arguments are URLs, it also has the host of one, and no folder
    /// has the name of its beginning.
    private mutating func findURLsAmongOutputs() {
        guard options.list == nil, let line else { return }
        let known = spelled.knownOutputs
        let isOnly = options.urls.isEmpty
        var found = 0
        var remaining = spelled.wgetOutputs.count
        spelled.wgetOutputs.removeAll { output in
            remaining -= 1
            let isURL =
                if isOnly, remaining == 0 {
                    output.text.utf8.contains(UInt8(ascii: "/")) && !line.isNoURL(output.text)
                } else {
                    (isOnly || options.outputs.count - known > options.urls.count)
                        && PastedArguments.isPath(onHost: output.text)
                }
            guard isURL else { return false }
            options.outputs[output.output] = nil
            options.urls.insert(output.text, at: output.urls + found)
            found += 1
            return true
        }
    }

    private static func hasCredential(_ url: String) -> Bool {
        url.utf8.contains(UInt8(ascii: "@")) && (try? WebAddress(url))?.credential != nil
    }

    /// Refuses -o if it is probably wget's, a log file, and -C, which in curl continues any file.
    private func checkOutputs() throws(UsageError) {
        if spelled.hasOffset, options.responses.range != nil,
            options.outputs.contains(where: { $0 != .standardOutput })
        {
            throw .foreignFlag(
                flag: "-C",
                reason: "curl continues any file that has the name",
                hint:
                    "--continue continues if the file is the same; --range OFFSET- prints the rest"
            )
        }
        guard let log = spelled.curlOutputs.last else { return }
        let isLog =
            [".log", "-log", "/log", "log.txt"].contains { log.endsWithBytes(of: $0) }
            || ["log", "/dev/null"].contains { log.hasBytes(of: $0) }
        let usesWgetFlags = !options.usesCurlFlags && spelled.wgets
        guard !spelled.wgetOutputs.isEmpty || isLog && usesWgetFlags else { return }
        throw .foreignFlag(
            flag: "-o",
            reason: "a file for messages in wget, for the body in curl",
            hint: "use -a \(Printable.text(log)) for messages, -O FILE for the body"
        )
    }

    /// Expands glob patterns, and assigns a name to each URL.
    private mutating func expand() throws(UsageError) {
        let words = options.urls
        let names = options.outputs
        let isPaired = names.count > 1 && words.count > 1
        guard !isPaired || names.count == words.count else {
            throw .conflict(
                "\(names.count) names",
                "\(words.count) URLs",
                reason: "give each URL its own: -O a URL -O b URL"
            )
        }
        if words.count > 1, names.count == 1, names[0] == nil, !options.namesAll {
            throw .conflict(
                "-O",
                "several URLs",
                reason: "it applies to one URL; use --remote-name-all"
            )
        }
        if spelled.uploads > 1 || spelled.uploads == 1 && words.count > 1 && options.usesCurlFlags {
            throw .conflict(
                "--upload-file",
                spelled.uploads > 1 ? "another --upload-file" : "several URLs",
                reason: "curl sends each file to one URL only; run fetch once for each"
            )
        }
        options.urls = []
        options.outputs = isPaired || names.isEmpty ? [] : [names[names.count - 1]]
        for (place, word) in words.enumerated() {
            let name = isPaired ? names[place] : options.outputs.first ?? nil
            guard !options.keepsGlobs else {
                options.urls.append(word)
                if isPaired { options.outputs.append(name) }
                continue
            }
            let expansions = try URLGlob(word).expansions
            options.urls += expansions.map(\.url)
            guard case .path(let template)? = name, isPaired || words.count == 1 else {
                if isPaired { options.outputs += expansions.map { _ in name } }
                continue
            }
            if !isPaired { options.outputs = [] }
            options.outputs += expansions.map { .path($0.name(template)) }
        }
        // If all URLs share one destination, such as a device, one entry suffices.
        if !isPaired, Set(options.outputs).count == 1 { options.outputs = [options.outputs[0]] }
    }
}

import URLLoading

// Decisions that depend on all arguments.
extension FlagParser {
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
        try checkOutputs()
        // -O takes a name. If that name is the only URL of the command line, -O is curl's.
        if options.urls.isEmpty, options.list == nil, let last = spelled.wgetOutputs.last,
            line?.isNoURL(last) == false, last.utf8.contains(UInt8(ascii: "/"))
        {
            options.outputs.removeLast()
            options.outputs.append(nil)
            options.urls.append(last)
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
        if options.usesCurlFlags, options.given.contains("--user"),
            !options.given.contains("--auth"),
            options.list == nil
        {
            options.authentication = .basic
        }
        // curl without -L reports a redirect's target, and does not follow it.
        if case .text(let format)? = options.writeOut, format.contains("%{redirect_url}"),
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
        let wgets: Set = [
            "--no-verbose", "--no-clobber", "--directory-prefix", "--tries", "--timestamping",
            "--quiet", "--continue", "--background", "--input-file",
        ]
        let isLog = log.hasSuffix(".log") || log.hasSuffix("log.txt") || log == "/dev/null"
        let usesWgetFlags = !options.usesCurlFlags && !options.given.isDisjoint(with: wgets)
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

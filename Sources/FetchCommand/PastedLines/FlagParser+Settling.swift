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
        /// Whether the arguments have `--no-clobber`, which is also curl's, and not `-nc`.
        var keepsFiles = false
        /// Whether a URL follows an `-i` that was taken as `--include`.
        var namesList = false
        /// How many outputs the options had before this parse.
        var knownOutputs = 0
        /// The names of all flags, as they are spelled.
        var names: Set<String> = []
        /// A value of `-z` that is no file, and its error, unless the line makes the file.
        var missingFile: (name: String, error: UsageError)?
        /// The scheme of a URL without one; `nil`: the host decides.
        var defaultScheme: String?

        /// The flags beside which `-o` with the name of a log is probably wget's.
        var wgets: Set<String> { names.intersection(PastedArguments.wgets) }
        /// Whether curl sends the user and password of a netrc file at once.
        var netrc: Bool { !names.isDisjoint(with: PastedArguments.netrcs) }
        /// Whether the limit of redirects is curl's, which applies with `-L` alone.
        var limitsLocation: Bool { names.contains("--max-redirs") }
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
        if spelled.names.contains("-p"), !options.namesProxy {
            throw AmbiguousLetter.tunnel.error("-p")
        }
        // The -i itself counts as curl's.
        let curls = PastedArguments.curls.subtracting(["--include"])
        if spelled.namesList, spelled.names.isDisjoint(with: curls),
            !spelled.wgets.isDisjoint(with: PastedArguments.wgetsAlone)
        {
            throw UsageError.listAtURL(FlagValue(flag: "-i", text: ""))
        }
        // For an upload, curl's -C is the offset in the file that is sent.
        if spelled.hasOffset, options.upload?.kind == .put,
            case .from(let offset)? = options.responses.range
        {
            options.uploadOffset = offset
            options.responses.range = nil
            options.given.remove("--range")
            options.given.insert("--upload-offset")
        }
        try findURLsAmongOutputs()
        try checkOutputs()
        if let missing = spelled.missingFile, !savesBody(as: missing.name) { throw missing.error }
        if let scheme = spelled.defaultScheme {
            guard options.list == nil else {
                throw .conflict(
                    "--proto-default",
                    "--input-file",
                    reason: "write the scheme of each URL in the list"
                )
            }
            options.urls = options.urls.map { text in
                let hasScheme =
                    URLScanner.schemeEnd(of: text[...]) != nil
                    || (try? WebAddress.local(text)) != nil
                return hasScheme ? text : "\(scheme)://\(text)"
            }
        }
        // With curl, -N is --no-buffer. Files that are only fetched if newer are never sent.
        if spelled.names.contains("-N"),
            options.usesCurlFlags || !Conflicts.bodyFlags(options).isEmpty
        {
            options.timestamping = false
            options.given.remove("--timestamping")
        }
        if options.usesCurlFlags {
            // With curl, -S is --show-error.
            if spelled.names.contains("-S") { options.showsResponseHeaders = false }
            // With curl, --no-clobber numbers the new file.
            if spelled.keepsFiles {
                options.noClobber = false
                options.given.remove("--no-clobber")
                options.numbersFiles = true
            }
        }
        // curl passes credentials to redirects only if it sent them without a challenge.
        if options.session.trustsRedirects, options.authentication == .any, options.bearer == nil {
            options.authentication = .basic
        }
        // curl sends credentials with the first request. A list's URLs are excluded.
        if options.usesCurlFlags, options.list == nil, options.bearer == nil,
            !options.given.contains("--auth")
        {
            // The password of a netrc file comes first.
            if !spelled.netrc { options.urls = options.urls.map(Self.completingUser) }
            options.sendsNetrcAtOnce = spelled.netrc
            if spelled.netrc || options.given.contains("--user")
                || options.urls.contains(where: { Self.credential(in: $0) != nil })
            {
                options.authentication = .basic
            }
        }
        if reportsFirstResponse { options.session.redirects = .none }
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

    /// Whether the line is about the first response: curl without -L reports a redirect, and does not follow it.
    ///
    /// If the body is kept, it is wanted, unless the report is about the redirect.
    private var reportsFirstResponse: Bool {
        var followings: Set = ["--location", "--location-trusted", "--redirect", "--max-redirect"]
        if spelled.limitsLocation { followings.remove("--max-redirect") }
        guard options.given.isDisjoint(with: followings) else { return false }
        if spelled.limitsLocation, options.transport.maximumRedirects == 0 { return true }
        guard let report = options.writeOut, !spelled.wgets.contains("--spider") else {
            return false
        }
        if Set(options.outputs) == [.path("/dev/null")], spelled.wgetOutputs.isEmpty { return true }
        guard case .text(let format) = report else { return false }
        return ["%{redirect_url}", "%header{location}"].contains(
            where: format.asciiLowercased.contains
        )
    }

    /// Takes values of `-O` for URLs, as in curl, where that leaves a name for each URL.
    ///
    /// Such a value is a host with a path. If other arguments are URLs, one of them has the same host.
    private mutating func findURLsAmongOutputs() throws(UsageError) {
        guard options.list == nil, line != nil else { return }
        let known = spelled.knownOutputs
        let hosts = options.urls.compactMap { (try? WebAddress($0))?.host.asciiLowercased }
        var found = 0
        spelled.wgetOutputs.removeAll { output in
            let isURL =
                hosts.isEmpty
                ? output.text.contains("://") || PastedArguments.host(of: output.text) != nil
                : options.outputs.count - known > options.urls.count
                    && PastedArguments.host(of: output.text).map(hosts.contains) ?? false
            guard isURL else { return false }
            options.outputs[output.output] = nil
            options.urls.insert(output.text, at: output.urls + found)
            found += 1
            return true
        }
        let isLeft = spelled.wgetOutputs.contains { output in
            PastedArguments.host(of: output.text).map(hosts.contains) ?? false
        }
        if found > 0, isLeft || options.outputs.count - known > options.urls.count {
            throw .foreignFlag(
                flag: "-O",
                reason: "a file's name in wget, the URL's own name in curl",
                hint: "write http:// or https:// before each URL"
            )
        }
    }

    /// The user and password in a URL; `nil` without a user.
    private static func credential(in url: String) -> UserPassword? {
        url.utf8.contains(UInt8(ascii: "@")) ? (try? WebAddress(url))?.credential : nil
    }

    /// The URL with an empty password, if it has a user alone, which curl sends so.
    private static func completingUser(_ url: String) -> String {
        guard let credential = credential(in: url), credential.password == nil else { return url }
        let start = URLScanner.schemeEnd(of: url[...])?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return url[..<at] + ":" + url[at...]
    }

    private var ownNames: [String] {
        options.urls.compactMap { try? WebAddress($0) }.map(FileName.from)
    }

    /// Whether a body gets the name, of which only the last component is compared.
    private func savesBody(as name: String) -> Bool {
        let name = FileName.lastComponent(ofPath: name)
        let names = options.outputs.map { $0?.path.map(FileName.lastComponent) }
        let usesOwn = names.contains(nil) || options.namesAll
        return (usesOwn ? ownNames : names.compactMap(\.self)).contains { $0.hasBytes(of: name) }
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
        // A log's name that the URL does not have, or /dev/null beside flags that mean little with it.
        let name = FileName.lastComponent(ofPath: log)
        let isLog =
            ([".log", "-log", "log.txt"].contains { name.endsWithBytes(of: $0) }
                || name.hasBytes(of: "log"))
            && !ownNames.contains { $0.hasBytes(of: name) }
            || log.hasBytes(of: "/dev/null") && !spelled.wgets.isSubset(of: ["-S", "-T"])
        let usesWgetFlags =
            !options.usesCurlFlags && !spelled.wgets.isEmpty && options.writeOut == nil
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
        let uploads = flags.count { $0 == "--upload-file" }
        if uploads > 1 || uploads == 1 && words.count > 1 && options.usesCurlFlags {
            throw .conflict(
                "--upload-file",
                uploads > 1 ? "another --upload-file" : "several URLs",
                reason: "curl sends each file to one URL only; run fetch once for each"
            )
        }
        options.urls = []
        // Of several names for one URL, curl takes the first, and wget the last.
        let isCurls = !spelled.curlOutputs.isEmpty || names.contains(nil)
        options.outputs = isPaired || names.isEmpty ? [] : [names[isCurls ? 0 : names.count - 1]]
        for (place, word) in words.enumerated() {
            let name = isPaired ? names[place] : options.outputs.first ?? nil
            guard !options.keepsGlobs else {
                options.urls.append(word)
                if isPaired { options.outputs.append(name) }
                continue
            }
            let expansions = try URLGlob(word, isCurls: options.usesCurlFlags).expansions
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

import URLLoading

/// Makes the tasks of the URLs in order: those of the command line, then those of a list.
struct TaskPlanner: Sendable {
    private let options: Options
    private let authentication: AuthenticationPlan
    private let body: BodyPlan
    /// One for each URL of the command line, or one for all.
    private let outputs: [Destination?]
    private let cookie: Secret?
    private let header: RequestHeader
    private let inputs: [InputFile]
    /// Outputs that no body may use.
    private let sideOutputs: [SideOutput]
    private let query: String
    private var count = 0
    /// The files that a list or URLs name where existing files are continued, replaced or kept, by path.
    private var named: [ExactText: NamedFile] = [:]
    /// The hashes of the other paths, if a list may name one of them later.
    private var derived: Set<Int> = []
    /// The numbers of URLs whose names earlier URLs have, where equal URLs share a file.
    private var numbers: [NamedURL: Int] = [:]
    /// The origin of the first URL, to which a bearer token and a cookie belong.
    private var firstOrigin: Origin?
    /// The origins of the command line's URLs; only with a list.
    private var namedOrigins: Set<Origin> = []
    /// The origin whose proxy was validated last.
    private var proxied: Origin?

    /// Throws if the cookie, or a file for the query, cannot be read.
    init(
        _ options: Options,
        _ authentication: AuthenticationPlan,
        body: BodyPlan,
        outputs: [Destination?],
        sideOutputs: [SideOutput]
    ) throws(UsageError) {
        self.options = options
        self.authentication = authentication
        self.body = body
        self.outputs = outputs
        self.sideOutputs = sideOutputs
        let entityTag = try EntityTagFile.tag(options)
        query = String(decoding: try BodyPlan.joined(options.query), as: UTF8.self)
        cookie = try options.cookie?.read("--cookie")
        header = RequestHeader(options, body: body, entityTag: entityTag)
        inputs = options.inputFiles
    }

    /// Makes the task for the next line of a list.
    mutating func plan(line: String) throws(UsageError) -> TaskPlan {
        let entry = try ListEntry(line)
        return try plan(entry.url, entry)
    }

    /// Whether the line of a list has a `file:` URL that no flag allows.
    func refuses(line: String) -> Bool {
        // The first letter excludes most URLs.
        guard line.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "f") else { return false }
        // An invalid URL is reported when the line is planned.
        let local = try? WebAddress.local(ListEntry.url(of: line))
        return local?.scheme == "file" && !options.allowsFileURLs
    }

    /// Makes the task for the next URL; throws if the URL is invalid, or conflicts with flags.
    mutating func plan(_ url: String, _ entry: ListEntry? = nil) throws(UsageError) -> TaskPlan {
        let address = try WebAddress(url).appending(query: query)
        if address.isLocal { try Conflicts.checkLocal(address, options) }
        // The proxy is the same for all URLs of an origin, so it is validated once.
        if address.origin != proxied { _ = try options.session.proxy(for: address) }
        proxied = address.origin
        if count == 0 { firstOrigin = address.origin }
        // The set is needed only for URLs of a list.
        if options.list != nil, let origin = address.origin, entry == nil {
            namedOrigins.insert(origin)
        }
        let own = outputs.count == 1 ? outputs[0] : count < outputs.count ? outputs[count] : nil
        let output = try entry?.destination(options) ?? own
        count += 1
        // Other people may have written the list, its first line too.
        let isNamed = entry == nil || address.origin.map(namedOrigins.contains) ?? true
        var identity: Identity =
            address.isLocal
            ? .none
            : try authentication.identity(at: address, firstOrigin: firstOrigin, isNamed: isNamed)
        if !address.isLocal, address.origin == firstOrigin { identity.cookie = cookie }
        identity.isWithheldInClear = !isNamed && authentication.method == .any
        var kind = TaskKind(options, address, sendsBody: body.isSent, output: output)
        // No body may continue or replace the one of an earlier URL of the same name.
        if let file = kind.file {
            let reusesName = options.reusesNames || options.noClobber && !file.isNamedByServer
            if entry?.isNamed == true || output == nil && reusesName {
                let number = takeNumber(for: file, address)
                if number > 0 {
                    kind.destination = try destination(address, entry, file, number)
                }
            } else if options.list != nil || output != nil {
                derived.insert(ExactText(file.path).hashValue)
            }
        }
        let task = try TaskPlan(
            options,
            kind,
            address: address,
            body: body,
            header: header,
            identity: identity,
            expected: entry?.checksum
        )
        try check(task)
        return task
    }

    /// The number that distinguishes a file from those of earlier URLs; 0 for the first of its name.
    ///
    /// A part, or a file that an earlier run has fetched for comparison, keeps its number in the next run with
    /// the same URLs. With `--timestamping` and `--no-clobber`, equal URLs share a file: only the first one finds
    /// it changed or missing.
    private mutating func takeNumber(for file: FileDestination, _ address: WebAddress) -> Int {
        let path = ExactText(file.path)
        // A fragment is not sent.
        let url = ExactText(address.text.utf8.prefix { $0 != UInt8(ascii: "#") })
        let derived = derived.contains(path.hashValue) ? NamedFile() : nil
        guard var known = named[path] ?? derived else {
            named[path] = NamedFile(url: url)
            return 0
        }
        let namedURL = NamedURL(path: path, url: url)
        let sharesEqual = options.timestamping || options.noClobber
        if sharesEqual {
            if known.url == url { return 0 }
            if let number = numbers[namedURL] { return number }
        }
        var number = known.nextNumber
        while named[ExactText(file.path(numbered: number))] != nil
            || !options.noClobber && Self.isForeign(file.path(numbered: number))
        { number += 1 }
        known.nextNumber = number + 1
        named[path] = known
        named[ExactText(file.path(numbered: number))] = NamedFile(url: url)
        if sharesEqual { numbers[namedURL] = number }
        return number
    }

    /// Whether a file exists that may be another program's; the user has not named it.
    private static func isForeign(_ path: String) -> Bool {
        FileFacts.exists(path) && StoredValidator(of: path) == nil
            && !FileFacts.exists(PartFile.path(of: path))
    }

    /// The destination for a URL whose name an earlier one has.
    private func destination(
        _ address: WebAddress,
        _ entry: ListEntry?,
        _ file: FileDestination,
        _ number: Int
    ) throws(UsageError) -> Destination {
        guard !options.continues, !options.timestamping, !options.noClobber else {
            return try entry?.destination(options, numbered: number)
                ?? .derived(from: address, options, numbered: number)
        }
        // It gets the first number that is free when its body arrives.
        var numbered = file
        numbered.ifExists = .number
        return .file(numbered)
    }

    /// Throws if a task conflicts with a flag or another output.
    private func check(_ task: TaskPlan) throws(UsageError) {
        let errorBody = options.responses.errorBody
        guard options.cachePolicy != nil || errorBody != nil || !sideOutputs.isEmpty else { return }
        try Conflicts.checkCache(options, task)
        try Conflicts.check(errorBody, against: task)
        // No output may overwrite a local file that is read.
        let source = task.address.filePath.map { InputFile(flag: task.address.text, path: $0) }
        for output in sideOutputs {
            try output.check(against: task, inputs + [source].compactMap(\.self))
        }
    }
}

/// A URL, and the name without a number that a line of a list or the URL itself gives its file.
private struct NamedURL: Hashable {
    let path: ExactText
    let url: ExactText
}

/// A file that a URL or a line of a list names.
private struct NamedFile {
    /// The first URL of the name; `nil`: unknown.
    var url: ExactText?
    /// The number for the next URL of the same name.
    var nextNumber = 1
}

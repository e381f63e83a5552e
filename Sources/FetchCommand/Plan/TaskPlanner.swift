import URLLoading

/// Makes the task of each URL, one after the other: of the command line's, and of those that a file
/// lists.
struct TaskPlanner: Sendable {
    private let options: Options
    private let session: SessionPlan
    private let authentication: AuthenticationPlan
    private let body: BodyPlan
    private let output: Destination?
    private let cookie: Secret?
    private let header: RequestHeader
    private let inputs: [InputFile]
    private let errorBody: Destination?
    /// What no body may be written to.
    private let outputs: [SideOutput]
    /// The origin of the first URL, to which credentials without a place of their own belong.
    private var home: Origin?
    private var isFirst = true
    /// The origins of the command line's own URLs, and that of the first one.
    private var named: Set<Origin> = []
    /// The origin that was last looked up among the proxies' rules.
    private var proxied: Origin?

    /// - Parameters:
    ///   - options: the command line.
    ///   - session: what it makes of the session.
    ///   - authentication: who one is.
    ///   - body: what is sent, to every URL.
    ///   - output: what `-O` names.
    ///   - errorBody: where bodies of errors go.
    ///   - outputs: what else is written to.
    /// - Throws: where the cookie cannot be read.
    init(
        _ options: Options,
        _ session: SessionPlan,
        _ authentication: AuthenticationPlan,
        body: BodyPlan,
        output: Destination?,
        errorBody: Destination?,
        outputs: [SideOutput]
    ) throws(PlanError) {
        self.options = options
        self.session = session
        self.authentication = authentication
        self.body = body
        self.output = output
        self.errorBody = errorBody
        self.outputs = outputs
        cookie = try options.cookie?.read("--cookie")
        header = RequestHeader(options, body: body)
        inputs = options.inputFiles
    }

    /// Whether a URL of a list names a file of this machine, which a list may not by itself.
    func refuses(listed url: String) -> Bool {
        // What is wrong with it is said when it is planned.
        let local = try? WebAddress.local(url)
        return local?.scheme == "file" && !options.allowsFileURLs
    }

    /// Makes the task of the next URL.
    ///
    /// - Parameters:
    ///   - url: as it was written.
    ///   - isListed: whether it stands in a list, and not on the command line.
    /// - Returns: the task, which contradicts no flag.
    /// - Throws: what is wrong with the URL, or with it beside the flags.
    mutating func plan(_ url: String, isListed: Bool = false) throws(PlanError) -> TaskPlan {
        let address = try Self.usage { () throws(UsageError) in
            let address = try WebAddress(url)
            if address.isLocal { try Conflicts.checkLocal(address, options) }
            // What is wrong with a proxy is wrong for all of a host's URLs.
            if address.origin != proxied { _ = try session.proxy(for: address) }
            return address
        }
        proxied = address.origin
        if isFirst { home = address.origin }
        if let origin = address.origin, isFirst || !isListed { named.insert(origin) }
        isFirst = false
        var identity: Identity =
            address.isLocal ? .none : try authentication.identity(at: address, home: home)
        if !address.isLocal, address.origin == home { identity.cookie = cookie }
        identity.isWithheldInClear =
            isListed && authentication.method == .any
            && address.origin.map { !named.contains($0) } ?? false
        let task = TaskPlan(
            options,
            address: address,
            body: body,
            header: header,
            output: output,
            identity: identity
        )
        try Self.usage { () throws(UsageError) in try Conflicts.checkCache(options, [task]) }
        try Conflicts.check(errorBody, against: [task])
        for output in outputs {
            try output.check(against: [task], inputs + [task.localFile].compactMap(\.self))
        }
        return task
    }

    private static func usage<Result>(
        _ make: () throws(UsageError) -> Result
    ) throws(PlanError) -> Result {
        do throws(UsageError) {
            return try make()
        } catch {
            throw .usage(error)
        }
    }
}

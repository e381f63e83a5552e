import URLLoading

/// The plan of a run: the command line, validated once, without network or changes to files.
struct Plan: Sendable {
    /// One for each URL, in the command line's order; empty only with a list.
    let tasks: [TaskPlan]
    let list: InputPath?
    /// Makes the tasks of the list's URLs.
    let planner: TaskPlanner
    let jobs: Int
    let pause: TaskPause
    /// Whether the first failure cancels the other tasks.
    let failsEarly: Bool
    let session: SessionPlan
    let authentication: AuthenticationPlan
    let messages: MessagePlan
    let responses: ResponsePlan
    let reports: ReportPlan
    let checksums: ChecksumPlan
    let background: BackgroundPlan?
    /// Whether only `DryRun.text(of:)` is printed.
    let isDryRun: Bool

    /// Whether there are several tasks, or their number is unknown.
    var hasMany: Bool { tasks.count > 1 || list != nil }

    /// Whether a server is likely to send a challenge.
    var expectsChallenges: Bool {
        if case .named = authentication.netrc { return true }
        if list != nil, authentication.user != nil { return true }
        return tasks.contains { $0.identity.credential != nil && $0.identity.sentAtOnce == nil }
    }

    /// Makes the plan: files to be sent are examined, and those of `--data @FILE` are read.
    init(_ given: Options, boundary: String = MultipartForm.randomBoundary()) throws(UsageError) {
        // Before standard input is read for the header.
        try Conflicts.checkHeaderInput(given)
        var options = try given.readingHeaderFiles()
        try Conflicts.check(options)
        let checked = options
        try options.session.complete(checked)
        let body = try BodyPlan(options, boundary: boundary)
        let sized: String? =
            switch body {
            case .file(let path, .some), .rest(let path, _, _): path
            default: nil
            }
        if options.contentLength != nil, let path = sized {
            throw .conflict(
                "--content-length",
                Printable.text(path),
                reason: "the length is taken from the file"
            )
        }
        options.transport.proxyCredential = try Self.proxyCredential(options)
        options.transport.clientKeyPassword =
            try options.keyPassword?.read("--private-key-password").text
        authentication = try AuthenticationPlan(options)
        let events = try EventDestination(options)
        try options.responses.complete(checked)
        responses = options.responses
        reports = try ReportPlan(options)
        checksums = try ChecksumPlan(options, authentication)
        let outputs = SideOutput.all(events, reports, options.session)
        for (place, output) in outputs.enumerated() {
            try output.check(againstErrors: responses.errorBody)
            for other in outputs[..<place] { try output.check(against: other) }
        }
        var planner = try TaskPlanner(
            options,
            authentication,
            body: body,
            outputs: try Plan.outputs(options),
            sideOutputs: outputs
        )
        var tasks: [TaskPlan] = []
        for url in options.urls { tasks.append(try planner.plan(url)) }
        self.tasks = tasks
        options.transport.ticketUse = authentication.ticketUse(
            options.negotiateHosts,
            tasks.map(\.address)
        )
        session = options.session
        self.planner = planner
        list = options.list
        failsEarly = options.failsEarly
        // Heads, written to standard output directly, would mix with other tasks' bodies.
        let isOrdered = outputs.contains { $0.isStandardOutput && $0.mayMixWithBodies }
        jobs = isOrdered && reports.heads != nil || options.pause.length > .zero ? 1 : options.jobs
        pause = options.pause
        messages = MessagePlan(options, events)
        background = try BackgroundPlan(options)
        isDryRun = options.dryRun
    }

    /// The credentials of `--proxy-user`, read from their source.
    private static func proxyCredential(_ options: Options) throws(UsageError) -> URLCredential? {
        let flag = "--proxy-user"
        guard let pair = try options.proxyUser?.read(flag).text else { return nil }
        guard !pair.isEmpty, pair.utf8.first != UInt8(ascii: ":") else {
            throw .invalidValue(flag: flag, reason: "the name is missing")
        }
        guard let parts = pair[...].split(atFirst: UInt8(ascii: ":")) else {
            let hint = "write NAME:PASSWORD, or NAME: for an empty one"
            throw .invalidValue(flag: flag, reason: "the password is missing", hint: hint)
        }
        return URLCredential(
            user: String(parts.before),
            password: String(parts.after),
            persistence: .forSession
        )
    }

    /// The destinations of `-O`, for each URL or one for all; `nil`: named after the URL.
    static func outputs(_ options: Options) throws(UsageError) -> [Destination?] {
        if let directory = options.directory ?? options.outputFolder {
            _ = try FileFacts.target(of: directory)
            if FileFacts.exists(directory), !FileFacts.isFolder(directory) {
                throw .file(path: directory, "is not a directory")
            }
        }
        var found: [Destination?] = []
        for output in options.outputs { found.append(try destination(output, options)) }
        var places: Set<FilePlace> = []
        let isForAll = found.count == 1 && options.hasMany
        for case .file(let file)? in found {
            let isTaken = FilePlace(file.path).map { !places.insert($0).inserted } ?? false
            guard isTaken || isForAll else { continue }
            throw .conflict(
                "--output FILE",
                "several URLs",
                reason:
                    "one file can hold only one body; -O a URL -O b URL, or #1 for a glob's words"
            )
        }
        if found.count > 1 { try checkBeside(found, places) }
        return found
    }

    /// Throws if a body is written first to the file of another one.
    private static func checkBeside(
        _ outputs: [Destination?],
        _ places: Set<FilePlace>
    ) throws(UsageError) {
        // A look-up costs two system calls, and hardly any output has such a name.
        let isSuspect = outputs.contains { output in
            guard case .file(let file)? = output else { return false }
            return [".part", ".resume", ".resume~"].contains { file.name.endsWithBytes(of: $0) }
        }
        guard isSuspect else { return }
        for case .file(let file)? in outputs {
            for path in FileDestination.pathsBeside(file.path) {
                guard let place = FilePlace(path, followsLink: false), places.contains(place)
                else { continue }
                throw .conflict(
                    "--output \(Printable.text(file.path))",
                    "--output \(Printable.text(path))",
                    reason: "until it is complete, the first body is in \(Printable.text(path))"
                )
            }
        }
    }

    /// The destination of one `-O`; only a device may be the destination of several bodies.
    private static func destination(
        _ output: OutputName?,
        _ options: Options
    ) throws(UsageError) -> Destination? {
        guard let output else { return nil }
        let destination = try Destination.named(
            output,
            continues: options.continues,
            isTimestamped: options.timestamping,
            ifExists: options.ifNamedExists,
            below: options.outputFolder,
            makesFolders: options.createsFolders
        )
        if options.continues, destination.file == nil {
            throw .conflict(
                "--continue",
                "--output \(destination == .standardOutput ? "-" : "DEVICE")",
                reason: "only a file can be continued"
            )
        }
        if options.timestamping, case .device(let path) = destination {
            throw .conflict(
                "--timestamping",
                "--output \(Printable.text(path))",
                reason: "only a file can be compared"
            )
        }
        return destination
    }
}

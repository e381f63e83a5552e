extension Plan {
    /// Makes the plan.
    ///
    /// Files to be sent are looked at, and those of `--data @FILE` are read.
    ///
    /// `boundary` stands between the parts of a form.
    init(
        _ given: Options,
        boundary: String = MultipartForm.randomBoundary()
    ) throws(PlanError) {
        let options = try given.readingHeaderFiles()
        do throws(UsageError) {
            try Conflicts.check(options)
        } catch {
            throw .usage(error)
        }
        var session: SessionPlan
        let body: BodyPlan
        do throws(FileFailure) {
            session = try SessionPlan(options)
            body = try BodyPlan(options, boundary: boundary)
        } catch {
            throw .file(error)
        }
        let sized: String? =
            switch body {
            case .file(let path, .some), .rest(let path, _, _): path
            default: nil
            }
        if options.contentLength != nil, let path = sized {
            throw .usage(
                .conflict(
                    "--content-length",
                    Printable.text(path),
                    reason: "a file has a length of its own"
                )
            )
        }
        session.proxyUser = try SessionPlan.proxyUser(options)
        session.keyPassword = try options.keyPassword?.read("--private-key-password")
        authentication = try AuthenticationPlan(options)
        let events = try EventDestination(options)
        answers = try AnswerPlan(options)
        reports = try ReportPlan(options)
        checksums = try ChecksumPlan(options, authentication)
        let outputs = SideOutput.all(events, reports, session)
        for (place, output) in outputs.enumerated() {
            try output.check(againstErrors: answers.errorBody)
            for other in outputs[..<place] { try output.check(against: other) }
        }
        var planner = try TaskPlanner(
            options,
            session,
            authentication,
            body: body,
            outputs: try Plan.outputs(options),
            errorBody: answers.errorBody,
            sideOutputs: outputs
        )
        var tasks: [TaskPlan] = []
        for url in options.urls { tasks.append(try planner.plan(url)) }
        self.tasks = tasks
        session.ticketUse = authentication.ticketUse(
            options.negotiateHosts,
            tasks.map(\.address)
        )
        self.session = session
        self.planner = planner
        list = options.list
        failsEarly = options.failsEarly
        // What writes to standard output as it comes would mix the bodies' order with its own.
        let isOrdered = outputs.contains { $0.isStandardOutput && $0.mayStandAmongBodies }
        jobs = isOrdered && reports.heads != nil || options.pause.length > .zero ? 1 : options.jobs
        pause = options.pause
        messages = MessagePlan(options, events)
        background = try BackgroundPlan(options, answers)
        isDryRun = options.dryRun
    }

    /// What `-O` names, for each URL or once for all; `nil` is no name of the command line's.
    static func outputs(_ options: Options) throws(PlanError) -> [Destination?] {
        if let directory = options.directory ?? options.outputFolder {
            do throws(FileFailure) {
                _ = try FileFacts.target(of: directory)
            } catch {
                throw .file(error)
            }
            if let facts = try? FileFacts(path: directory), facts.kind != .directory {
                throw .file(FileFailure(path: directory, reason: .isNoDirectory))
            }
        }
        var found: [Destination?] = []
        for output in options.outputs { found.append(try destination(output, options)) }
        var places: Set<FilePlace> = []
        let isForAll = found.count == 1 && (options.urls.count > 1 || options.list != nil)
        for case .file(let file)? in found {
            let isTaken = FilePlace(file.path).map { !places.insert($0).inserted } ?? false
            guard isTaken || isForAll else { continue }
            throw .usage(
                .conflict(
                    "--output FILE",
                    "several URLs",
                    reason: "one file holds one body; -O a URL -O b URL, or #1 for a glob's words"
                )
            )
        }
        return found
    }

    /// What one `-O` names; one file cannot hold several bodies, a device can.
    private static func destination(
        _ output: OutputName?,
        _ options: Options
    ) throws(PlanError) -> Destination? {
        guard let output else { return nil }
        let destination = try Destination.named(
            output,
            continues: options.continues,
            isTimestamped: options.timestamping,
            ifExists: options.noClobber ? .keep : .replace,
            below: options.outputFolder,
            makesFolders: options.createsFolders
        )
        if options.continues, case .file = destination {
        } else if options.continues {
            throw .usage(
                .conflict(
                    "--continue",
                    "--output \(destination == .standardOutput ? "-" : "DEVICE")",
                    reason: "only a file can be continued"
                )
            )
        }
        if options.timestamping, case .device(let path) = destination {
            throw .usage(
                .conflict(
                    "--timestamping",
                    "--output \(Printable.text(path))",
                    reason: "only a file can be compared"
                )
            )
        }
        return destination
    }
}

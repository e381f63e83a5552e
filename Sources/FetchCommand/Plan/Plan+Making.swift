extension Plan {
    /// Makes the plan.
    ///
    /// Files to be sent are looked at, and those of `--data @FILE` are read.
    ///
    /// `boundary` stands between the parts of a form.
    init(
        _ options: Options,
        boundary: String = MultipartForm.randomBoundary()
    ) throws(PlanError) {
        do throws(UsageError) {
            try Conflicts.check(options)
        } catch {
            throw .usage(error)
        }
        var addresses: [WebAddress] = []
        for url in options.urls {
            do throws(UsageError) {
                let address = try WebAddress(url)
                if address.isLocal { try Conflicts.checkLocal(address, options) }
                addresses.append(address)
            } catch {
                throw .usage(error)
            }
        }
        var session: SessionPlan
        let body: BodyPlan
        do throws(FileFailure) {
            session = try SessionPlan(options)
            body = try BodyPlan(options, boundary: boundary)
        } catch {
            throw .file(error)
        }
        session.proxyUser = try SessionPlan.proxyUser(options)
        session.keyPassword = try options.keyPassword?.read("--private-key-password")
        do throws(UsageError) {
            for address in addresses { _ = try session.proxy(for: address) }
        } catch {
            throw .usage(error)
        }
        let output = try Plan.output(options)
        let authentication = try AuthenticationPlan(options)
        let home = addresses.first?.origin
        var tasks: [TaskPlan] = []
        let cookie = try options.cookie?.read("--cookie")
        for address in addresses {
            var identity: Identity =
                address.isLocal ? .none : try authentication.identity(at: address, home: home)
            if !address.isLocal, address.origin == home { identity.cookie = cookie }
            tasks.append(
                TaskPlan(
                    options,
                    address: address,
                    body: body,
                    output: output,
                    identity: identity
                )
            )
        }
        do throws(UsageError) {
            try Conflicts.checkCache(options, tasks)
        } catch {
            throw .usage(error)
        }
        self.tasks = tasks
        self.session = session
        self.authentication = authentication
        let events = try EventDestination(options)
        answers = try AnswerPlan(options)
        reports = try ReportPlan(options)
        try Conflicts.check(answers.errorBody, against: tasks)
        let outputs = SideOutput.all(events, reports, session)
        let inputs = options.inputFiles + tasks.compactMap(\.localFile)
        for (place, output) in outputs.enumerated() {
            try output.check(against: tasks, inputs)
            try output.check(againstErrors: answers.errorBody)
            for other in outputs[..<place] { try output.check(against: other) }
        }
        messages = MessagePlan(
            verbosity: options.verbosity,
            showsResponseHeaders: options.showsResponseHeaders,
            progress: options.showsProgress && events != .standardError
                ? options.progress : ProgressChoice.none,
            events: events
        )
        isDryRun = options.dryRun
    }

    /// What `-O` names, if it was given; one file cannot hold several bodies, a device can.
    private static func output(_ options: Options) throws(PlanError) -> Destination? {
        if let directory = options.directory,
            let facts = try? FileFacts(path: directory), facts.kind != .directory
        {
            throw .file(FileFailure(path: directory, reason: .isNoDirectory))
        }
        guard let output = options.output else { return nil }
        let destination = try Destination.named(
            output,
            continues: options.continues,
            isTimestamped: options.timestamping
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
        if case .file = destination, options.urls.count > 1 {
            throw .usage(
                .conflict(
                    "--output FILE",
                    "several URLs",
                    reason: "one file holds one body"
                )
            )
        }
        return destination
    }
}

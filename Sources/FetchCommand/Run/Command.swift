import Glibc
import URLLoading

/// The command `fetch`: parses flags into a plan, runs its tasks, and returns a status.
public enum FetchCommand {
    /// Runs the command with the process's arguments, and exits the process.
    public static func main() -> Never {
        // State files have this name, whatever the executable is called.
        URLSessionConfiguration.programIdentifier = "fetch"
        TransferProcess.serve(FileConventions.command)
        StandardDescriptors.fill()
        Signals.ignoreFailedWrites()
        let result = run()
        TerminalEcho.restore(endsLine: true)
        switch result {
        case .signal(let number): Signals.die(by: number)
        // exit(3) would run exit handlers of libraries that a transfer thread may still use.
        case .status(let status): _exit(status.rawValue)
        }
    }

    private static func run() -> ProcessExit {
        let plan: Plan
        var exposed: [String] = []
        var configuration: Configuration?
        do {
            let invocation = try Invocation(Arguments.ofProcess())
            let options = invocation.options.choosingOutput(isTerminal: isatty(STDOUT_FILENO) != 0)
            configuration = invocation.configuration
            for name in options.transport.secretHeaders { Redaction.declare(secretHeader: name) }
            exposed = Arguments.hide(invocation.secrets)
            if let information = options.information { return show(information) }
            if let order = options.backgroundAction {
                try Conflicts.check(options)
                return try carryOut(order, options, exposed, configuration)
            }
            if let order = options.sessionOrder {
                try Conflicts.check(options)
                return order.run()
            }
            if options.clearsCache, options.urls.isEmpty {
                clearCache(options)
                return .status(.success)
            }
            plan = try Plan(options)
            if options.clearsCache { clearCache(options) }
        } catch let error as UsageError {
            let hint = error.hint ?? configuration?.hint(for: error)
            return refuse(error.message, hint: hint, error.exitStatus)
        } catch {
            return refuse("\(error)", hint: nil, .failure)
        }
        if plan.isDryRun { return dryRun(plan, configuration) }
        var printer = Printer.errorsOnly
        do throws(URLError) {
            try plan.messages.log?.takeStandardError()
            let events = try EventLog(plan.messages)
            printer = Printer(
                plan.messages,
                events,
                reportsOnOutput: plan.reports.usesStandardOutput
            )
            if !exposed.isEmpty { printer.exposed(exposed) }
            if let configuration { printer.exposed(by: configuration) }
            if plan.authentication.forgets {
                let result = CredentialForgetting(plan: plan, printer: printer).run()
                printer.finishEvents(isCutShort: false)
                return result
            }
            let reports = try Reports(plan.reports, printer)
            if let background = plan.background {
                return try queue(plan, background, printer, reports)
            }
            // Until here a signal ends the process at once: there is nothing to clean up.
            let signals = Signals()
            signals.allowed { printer.announce(plan.messages) }
            let streams = StreamFiles(events, besides: Reports.places(plan))
            let list = try plan.list.map(URLList.init)
            let result = try MainLoop.run(signals, printer) { [printer] in
                await Runner(
                    plan: plan,
                    printer: printer,
                    streams: streams,
                    reports: reports,
                    list: list,
                    signals: signals
                ).run()
            }
            signals.allowed { printer.close(result) }
            return result
        } catch {
            printer.error(Printable.text("\(error)"))
            return .status(ExitStatus(error.code))
        }
    }

    private static func clearCache(_ options: Options) {
        guard !options.dryRun else { return }
        (options.session.named?.cache() ?? .shared).removeAllCachedResponses()
    }

    private static func carryOut(
        _ order: BackgroundAction,
        _ options: Options,
        _ exposed: [String],
        _ configuration: Configuration?
    ) throws -> ProcessExit {
        guard case .attach(let identifier) = order else { return BackgroundActions.run(order) }
        let plan = try AttachPlan(identifier, options)
        let cursor: BackgroundCursor?
        let printer: Printer
        do {
            guard try BackgroundControl().has(identifier) else {
                return BackgroundActions.reportMissing(identifier, "--attach")
            }
            cursor = plan.record.flatMap { EventCursor.take(from: $0) }
            printer = Printer(plan.messages, try EventLog(plan.messages, empties: false))
        } catch {
            return BackgroundActions.fail(error, "--attach")
        }
        if !exposed.isEmpty { printer.exposed(exposed) }
        if let configuration { printer.exposed(by: configuration) }
        let signals = Signals()
        signals.allowed { printer.announce(plan.messages) }
        let result = try MainLoop.run(signals, printer) {
            await AttachCommand(plan: plan, printer: printer, signals: signals).run(from: cursor)
        }
        signals.allowed { printer.close(result) }
        return result
    }

    /// Queues the tasks in a background session; a list is read to its end first.
    private static func queue(
        _ plan: Plan,
        _ background: BackgroundPlan,
        _ printer: Printer,
        _ reports: Reports
    ) throws(URLError) -> ProcessExit {
        let list = try plan.list.map(URLList.init)
        let signals = Signals()
        return try MainLoop.run(signals, printer) {
            var queueing = BackgroundQueueing(
                plan: plan,
                background: background,
                printer: printer,
                reports: reports,
                signals: signals
            )
            return await queueing.run(list)
        }
    }

    /// Prints the planned requests; a list is read to its end.
    private static func dryRun(_ plan: Plan, _ configuration: Configuration?) -> ProcessExit {
        let summary = configuration?.summary ?? ""
        guard let source = plan.list else { return print(summary + DryRun.text(of: plan)) }
        guard case .status(.success) = print(summary) else { return .status(.fileIO) }
        do throws(URLError) {
            let list = try URLList(source)
            return try MainLoop.run(Signals(), .errorsOnly) { await dryRun(plan, list) }
        } catch {
            return refuse(Printable.text("\(error)"), hint: nil, ExitStatus(error.code))
        }
    }

    @MainLoop
    private static func dryRun(_ plan: Plan, _ list: URLList) async -> ProcessExit {
        var source = TaskSource(plan, list)
        let waiter = Waiter()
        var worst = ExitStatus.success
        var isFirst = true
        while true {
            switch await source.next(waiter) {
            case .task(let task):
                let text = DryRun.text(of: task, plan)
                let result = print(isFirst ? text : "\n" + text)
                guard case .status(.success) = result else { return result }
                isFirst = false
            case .invalid(let status, let words, let hint):
                Printer.errorsOnly.error(words, hint: hint)
                worst = ExitStatus.moreSevere(worst, status)
            case .interrupted(let why):
                guard case .signal(let number) = why else { return .status(worst) }
                return .signal(number)
            case .end: return .status(worst)
            }
        }
    }

    private static func refuse(
        _ message: String,
        hint: String?,
        _ status: ExitStatus
    ) -> ProcessExit {
        Printer.errorsOnly.error(message, hint: hint)
        return .status(status)
    }

    private static func show(_ information: Options.Information) -> ProcessExit {
        switch information {
        case .help(let topic):
            switch HelpText.text(on: topic) {
            case let text?: print(text)
            case nil:
                refuse(
                    "--help: there is no topic '\(Printable.text(topic ?? ""))'",
                    hint: "topics: all, \(HelpText.topics)",
                    .usage
                )
            }
        case .version: print(Version.text)
        }
    }

    static func print(_ text: String) -> ProcessExit {
        do {
            try Array(text.utf8).withUnsafeBytes { try OutputDescriptor.standardOutput.write($0) }
            return .status(.success)
        } catch is OutputClosed {
            return .signal(SIGPIPE)
        } catch {
            Printer.errorsOnly.error("\(error)")
            return .status(.fileIO)
        }
    }
}

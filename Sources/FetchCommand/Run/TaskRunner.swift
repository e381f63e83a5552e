import FoundationEssentials
import Glibc
import URLLoading

/// Carries one task of a plan out, in as many tries as it takes and may take.
@MainLoop
struct TaskRunner {
    /// After a signal, how long a task may take to put its things in order.
    private static let patience: Duration = .seconds(5)
    /// After a signal, how long a task may take that has nothing to put in order.
    private static let shortGrace: Duration = .milliseconds(500)
    /// After `--max-time`, how long the session may take to end the task itself.
    private static let grace: Duration = .seconds(1)

    let settings: SessionPlan
    let session: URLSession
    let delegate: RunDelegate
    let printer: Printer
    let signals: Signals
    let run: TaskRun
    var plan: TaskPlan { run.plan }
    /// Its place among the run's tasks, from 0.
    let number: Int

    init(
        _ run: TaskRun,
        number: Int,
        settings: SessionPlan,
        session: URLSession,
        delegate: RunDelegate,
        printer: Printer,
        signals: Signals
    ) {
        self.number = number
        self.settings = settings
        self.session = session
        self.delegate = delegate
        self.printer = printer
        self.signals = signals
        self.run = run
    }

    /// How one try ended.
    private enum Attempt {
        case outcome(TaskOutcome, ResumeData?, URLSessionTask?)
        case interrupted(Interruption)
        case stuck
    }

    func run() async -> TaskEnd {
        defer { delegate.names.release(run) }
        var course = Course.firstLook
        printer.begin(run)
        printer.proxy(of: session, for: URL(string: plan.address.text))
        if let end = await expectDigest() { return end }
        while true {
            let attempt: Attempt
            if case .firstLook = course {
                switch await begin() {
                case .over(let end): return end
                case .failed(let outcome): attempt = .outcome(outcome, nil, nil)
                case .go(let data):
                    run.note(beginsAt: data?.receivedBytes ?? 0)
                    attempt = await self.attempt(.first(data))
                }
            } else {
                attempt = await self.attempt(course)
            }
            switch attempt {
            case .interrupted(let why): return .interrupted(why)
            case .stuck: return .stuck
            case .outcome(.notModified, _, _) where mustLookAgain:
                let failed: TaskOutcome
                switch await lookAgain() {
                case .same: return await conclude(.notModified, nil)
                case .interrupted(let why): return .interrupted(why)
                case .differs:
                    run.beginAgain(fetchesAnyway: true)
                    // With -c what is there may be the beginning of the server's file.
                    let continues = plan.kind.file?.continues ?? false
                    course = continues ? .firstLook : .first(nil)
                    continue
                case .status(let status):
                    run.note(status: status)
                    failed = outcome(nil)
                case .failed(let error): failed = outcome(error)
                }
                switch await follow(failed, nil, nil) {
                case .over(let end): return end
                case .again(let next): course = next
                }
            case .outcome(let outcome, let data, let task):
                switch await follow(outcome, data, task) {
                case .over(let end): return end
                case .again(let next): course = next
                }
            }
        }
    }
}

// The first look.
extension TaskRunner {
    private enum Beginning {
        case go(ResumeData?)
        /// Nothing could be found out.
        case failed(TaskOutcome)
        case over(TaskEnd)
    }

    /// Sees that the file can be made, and what there is of it to be continued.
    private func begin() async -> Beginning {
        if let words = settings.refusal(of: plan.address.scheme) {
            return .over(await conclude(.policy(words), nil))
        }
        guard case .file(let file) = plan.kind.destination else { return .go(nil) }
        if file.isKept {
            return .over(await conclude(.kept(path: file.path, .found), nil))
        }
        if file.isTimestamped, let end = await holdName(of: file) { return .over(end) }
        do throws(URLError) {
            try delegate.names.checkFolder(of: file)
            if file.ifExists == .replace || file.continues {
                try delegate.streams.check(file.path, isReplaced: true)
            }
            guard file.continues, let request = URLRequest(plan),
                let url = ResumeData.address(of: request)
            else { return .go(nil) }
            switch Leftover(of: file, url: url) {
            case .nothing: return .go(nil)
            case .part(let data):
                run.continueUnderName()
                return .go(data)
            case .torn(let path):
                let words = "\(path) has holes, and nothing says where"
                signals.allowed { printer.startOver(run, words) }
                return .go(nil)
            case .foreign(let path):
                signals.allowed { printer.startOver(run, "\(path) is of another URL") }
                return .go(nil)
            case .unproven(let part):
                // With -N the server first says whether it has another file than the one there is.
                let isWhole = part.path == file.path
                if file.isTimestamped, isWhole, !run.get(\.fetchesAnyway) { return .go(nil) }
                return try await compare(part, file, request, url)
            }
        } catch {
            return .over(await conclude(.error(error), nil))
        }
    }

    /// Compares the end of what there is with the server's.
    private func compare(
        _ part: UnprovenPart,
        _ file: FileDestination,
        _ request: URLRequest,
        _ url: String
    ) async throws(URLError) -> Beginning {
        let probe = try OverlapProbe(part, delegate) { [waiter = run.waiter] in waiter.ring() }
        let task = session.dataTask(with: probe.asking(request))
        task.delegate = probe
        delegate.add(run, for: task)
        defer { delegate.remove(task) }
        task.resume()
        if case .interruption(let why) = await run.waiter.wait(until: nil) {
            return .over(.interrupted(why))
        }
        switch probe.finding {
        case .isComplete, .same: run.continueUnderName()
        default: break
        }
        switch probe.finding {
        case .isComplete where part.path == file.path:
            switch await compareDigest(file.path) {
            case .same: break
            case .failed(let error): return .failed(outcome(error))
            case .status(let status): return .failed(.status(status))
            case .interrupted(let why): return .over(.interrupted(why))
            case .differs:
                run.noteCleanStart()
                return .go(nil)
            }
            signals.allowed { printer.alreadyComplete(run, file.path) }
            return .over(report(.success))
        case .isComplete:
            return .go(part.resumeData(url, part.validator, nil, part.size, for: file))
        case .same(let validator, let sighting, let total):
            if part.path == file.path { try copy(part) }
            let known = validator ?? part.validator
            return .go(part.resumeData(url, known, sighting, total, for: file))
        case .differs(let why):
            signals.allowed { printer.startOver(run, "\(part.path): \(why)") }
            return .go(nil)
        case .status(let status):
            run.note(status: status)
            return .failed(outcome(nil))
        case .failed(let error): return .failed(outcome(error))
        }
    }

    /// Makes a part of the file itself, which must stay until there is a better one.
    private func copy(_ part: UnprovenPart) throws(URLError) {
        var result: Result<Void, URLError> = .success(())
        // A large one takes a while, and there is nothing to put in order.
        signals.allowed {
            result = Result { () throws(URLError) in
                try PartCopy.make(
                    of: part,
                    at: FileDestination.partPath(of: part.path),
                    until: settings.maxTime.map { run.started + $0 }
                )
            }
        }
        try result.get()
    }
}

// One try.
extension TaskRunner {
    private func attempt(_ course: Course) async -> Attempt {
        let task: URLSessionTask
        do throws(URLError) {
            task = try makeTask(course)
        } catch {
            return .outcome(.error(error), nil, nil)
        }
        task.startsOverOnDigestMismatch = !run.get(\.hasStartedClean)
        delegate.add(run, for: task)
        task.resume()
        var wake = await run.waiter.wait(until: deadline)
        // All has come and is being written: what takes its time is the reader, and a script that it
        // runs meanwhile must not be cut.
        if wake == .late, run.held?.isWhole == true { wake = await run.waiter.wait(until: nil) }
        switch wake {
        case .bell:
            let error = run.takeEnd()
            let last = run.get(\.download) ?? task
            return .outcome(outcome(error), error?.kept ?? unmoved, last)
        case .interruption(let why): return await stop(task, why)
        case .late:
            cancel(task)
            if await run.waiter.wait(until: .now + Self.grace) == .bell {
                return .outcome(.timeLimit(settings.maxTime ?? .zero), run.takeEnd()?.kept, task)
            }
            // Something that the session does not see holds the task up: an output that blocks.
            signals.allowed {
                printer.failure(run, .timeLimit(settings.maxTime ?? .zero), kept: nil)
            }
            return .stuck
        }
    }

    /// What is left where the whole has come and could not get its name.
    private var unmoved: ResumeData? {
        guard case .file = run.get(\.failure), let path = run.get(\.chosenPath) else {
            return nil
        }
        return try? ResumeFile(of: FileDestination.partPath(of: path)).read()
    }

    /// When the task is late; the session itself ends its first try.
    var deadline: ContinuousClock.Instant? {
        settings.maxTime.map { run.started + $0 + (run.get(\.tries) == 1 ? Self.grace : .zero) }
    }

    /// Ends the task and then the process; a second signal does not wait for the first.
    ///
    /// There is something to wait for only where a part file has to go, or to be left in order, or
    /// somebody wants to hear of the end.
    private func stop(
        _ task: URLSessionTask,
        _ why: Interruption
    ) async -> Attempt {
        cancel(task)
        let hasFile = run.get(\.file) != nil || run.get(\.download) != nil
        guard hasFile || printer.tellsEvents || delegate.reports.wantsEveryEnd else {
            return .interrupted(why)
        }
        // Whoever wants a record of all wants this in it.
        let isLong = hasFile || delegate.reports.wantsEveryEnd
        let limit = isLong ? Self.patience : Self.shortGrace
        switch await run.waiter.wait(until: .now + limit) {
        case .bell: break
        case .late: return .interrupted(why)
        // Whoever asks twice does not want to wait for anything more.
        case .interruption(.signal(let number)): Signals.die(by: number)
        case .interruption(.failEarly): break
        }
        return .interrupted(interrupted(why, run.takeEnd()?.kept))
    }

    private func cancel(_ task: URLSessionTask) {
        guard let download = run.get(\.download) ?? task as? URLSessionDownloadTask else {
            return task.cancel()
        }
        download.cancel { _ in }
    }

    func interrupted(_ why: Interruption, _ kept: ResumeData?) -> Interruption {
        signals.allowed { printer.interrupted(run, why, kept) }
        return why
    }
}

// The end.
extension TaskRunner {
    private func outcome(_ error: URLError?) -> TaskOutcome {
        let outcome = TaskOutcome(
            run.current,
            error: error?.naming(socket: settings.transport.unixSocketPath),
            maxTime: settings.maxTime,
            elapsed: ContinuousClock.now - run.started
        )
        if case .success = outcome, run.get(\.skip) > 0, let delivered = run.deliveredPart {
            return .error(delivered.end("the server's body is shorter now"))
        }
        if case .success = outcome, run.get(\.isShort), !run.get(\.hasAdvanced) {
            return .error(URLError(.networkConnectionLost, detail: "a part had no bytes"))
        }
        if case .status = outcome, let trouble = run.current.trouble(error) {
            printer.errorBody(run, trouble)
        }
        return outcome
    }

    func conclude(
        _ ended: TaskOutcome,
        _ kept: ResumeData?
    ) async -> TaskEnd {
        var outcome = ended
        if case .kept(let path, let kept) = ended, kept != .isUnderWay {
            switch await compareDigest(path, isKept: true) {
            case .same, .differs, .status: break
            case .failed(let error): outcome = .error(error)
            case .interrupted(let why): return .interrupted(why)
            }
        }
        // What has failed with nothing to write need not wait for that to be said; a report has its
        // place among the bodies.
        let isEmpty =
            ended.exitStatus != .success && run.get(\.bytes) == 0
            && delegate.reports.writeOut == nil
        if let turn = run.turn, run.get(\.file) == nil, !isEmpty {
            if let why = await turn.wait() { return .interrupted(why) }
            // What was held could be written only now.
            if case .success = ended { outcome = self.outcome(nil) }
        }
        if let error = keepEntityTag(outcome) { outcome = .error(error) }
        if case .outputClosed = outcome { return .interrupted(.signal(SIGPIPE)) }
        signals.allowed {
            switch outcome {
            case .success: printer.success(run)
            case .notModified: printer.notModified(run)
            case .kept(let path, let kept): printer.kept(run, path, kept)
            case .outputClosed: break
            case .error, .timeLimit, .status, .policy, .unproven:
                printer.failure(run, outcome, kept: kept)
            }
        }
        return report(outcome)
    }
}

extension URLError {
    /// What has been left of a download, to be continued.
    fileprivate var kept: ResumeData? {
        downloadTaskResumeData.flatMap { try? ResumeData($0) }
    }
}

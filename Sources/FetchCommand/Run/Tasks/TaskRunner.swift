import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

/// Runs one task of a plan: performs the actions of its life cycle, and reports the results.
@MainLoop
struct TaskRunner {
    let run: TaskRun
    /// The task's index in the run, from 0.
    let number: Int
    let session: URLSession
    let delegate: RunDelegate
    let signals: Signals
    var plan: TaskPlan { run.plan }
    var printer: Printer { delegate.printer }
    var deadline: MonotonicInstant? { run.get(\.deadline) }

    func run() async -> TaskOutcome {
        defer { delegate.names.release(run) }
        printer.begin(run)
        printer.proxy(of: session, for: URL(string: plan.address.text))
        // The session task of the last attempt; the next attempt may repeat its request.
        var task: URLSessionTask?
        var action = run.change { $0.begin() }
        while true {
            if case .end(let outcome) = action { return outcome }
            do throws(TaskOutcome) {
                if let next = try performAtOnce(action, &task) {
                    action = next
                } else {
                    action = try await perform(action, &task)
                }
            } catch {
                action = run.change { $0.failed(error, run.buffer, now: .now) }
            }
        }
    }

    /// Performs an action at once, as most can be; `nil` if it may have to wait.
    private func performAtOnce(
        _ action: FetchLifecycle.Action,
        _ task: inout URLSessionTask?
    ) throws(TaskOutcome) -> FetchLifecycle.Action? {
        switch action {
        case .findDigest where !delegate.checksums.mustLoad(for: plan):
            try expectDigest()
            return run.change { $0.examine() }
        case .examine:
            task = nil
            guard let existing = try examine() else { return nil }
            return run.change { $0.examined(existing) }
        case .conclude(let outcome, let kept) where delegate.reports.writeOut == nil:
            return .end(conclude(outcome, kept))
        default: return nil
        }
    }

    private func perform(
        _ action: FetchLifecycle.Action,
        _ task: inout URLSessionTask?
    ) async throws(TaskOutcome) -> FetchLifecycle.Action {
        switch action {
        case .findDigest:
            try await delegate.checksums.load(for: self)
            try expectDigest()
            return run.change { $0.examine() }
        case .examine:
            if let file = plan.kind.file { try await reserveName(of: file) }
            return action
        case .compareEnd(let part):
            let finding = try await compareEnd(of: part)
            return run.change { $0.compared(part, finding, now: .now) }
        case .compareDigest(let path, let isKept):
            let differs = try await differsInDigest(path, isKept: isKept)
            return run.change { $0.comparedDigest(differs: differs) }
        case .examineAgain:
            task = nil
            let differs = try await differs()
            return run.change { $0.examinedAgain(differs: differs) }
        case .take(let part, let evidence):
            let data = try await take(part, evidence)
            return run.change { $0.start(data) }
        case .start(let start):
            if let why = start.startsOver { signals.allowed { printer.startOver(run, why) } }
            task = try begin(start, after: task)
            var wake = await run.waiter.wait(until: deadline)
            // The complete body is being written to a slow reader, such as a shell that runs a
            // script. The script must not be truncated.
            if wake == .late, run.bufferedBody?.isWhole == true {
                wake = await run.waiter.wait(until: nil)
            }
            return waitEnded(wake, task)
        case .stop(let limit):
            if let task { cancel(task) }
            guard let limit else { return run.change { $0.waitEnded(.late, now: .now) } }
            return waitEnded(await run.waiter.wait(until: .now + limit), task)
        case .pause(let pause): return try await wait(pause, task)
        case .awaitTurn:
            if let why = await run.turn?.wait() { throw .interrupted(why) }
            return run.change { $0.turnBegan(now: .now) }
        case .conclude(let outcome, let kept):
            return .end(await report(conclude(outcome, kept)))
        case .abandon(let outcome, let kept): return .end(abandon(outcome, kept))
        case .die(let number): Signals.die(by: number)
        case .end: return action
        }
    }
}

// One attempt.
extension TaskRunner {
    private func begin(
        _ start: FetchLifecycle.Start,
        after last: URLSessionTask?
    ) throws(TaskOutcome) -> URLSessionTask {
        let task: URLSessionTask
        if start.isRepeating, let last {
            task = plan.makeTask(start, in: session, repeating: last)
        } else {
            noteSentFiles()
            task = try mapError(
                plan.makeTask(start, in: session, delegate.bodies),
                TaskOutcome.error
            )
        }
        task.startsOverOnDigestMismatch = !run.get(\.hasStartedClean)
        delegate.add(run, for: task)
        delegate.freeSlot(of: run, after: task)
        task.resume()
        return task
    }

    private func waitEnded(_ wake: Waiter.Wake, _ task: URLSessionTask?) -> FetchLifecycle.Action {
        guard wake == .bell, let task else { return run.change { $0.waitEnded(wake, now: .now) } }
        let error = run.get(\.attempt.error)
        if let words = run.get({ $0.bodyError(error) }) { printer.errorBody(run, words) }
        let kept = error?.kept ?? unmoved
        return run.change { life in
            let last = life.attempt.download ?? task
            return life.waitEnded(
                .bell,
                kept: kept,
                FetchLifecycle.Finished(
                    method: last.currentRequest?.httpMethod ?? "GET",
                    redirects: last.redirectCount
                ),
                run.buffer,
                now: .now
            )
        }
    }

    /// The resume data of a complete part that could not be renamed; `nil` for other errors.
    private var unmoved: ResumeData? {
        guard case .error(let error) = run.get(\.attempt.stopped),
            ExitStatus(error.code) == .fileIO, !run.get(\.naming.isUnnamed),
            let path = run.get(\.naming.chosen)
        else { return nil }
        return try? ResumeFile(of: PartFile.path(of: path)).read()
    }

    private func cancel(_ task: URLSessionTask) {
        guard let download = run.get(\.attempt.download) ?? task as? URLSessionDownloadTask else {
            return task.cancel()
        }
        download.cancel { _ in }
    }
}

// Between two attempts.
extension TaskRunner {
    private func wait(
        _ pause: FetchLifecycle.Pause,
        _ task: URLSessionTask?
    ) async throws(TaskOutcome) -> FetchLifecycle.Action {
        if let retry = pause.retry {
            if pause.mustDiscard, !run.discardBuffered() {
                return run.change { $0.cannotContinue() }
            }
            try checkBody(task, after: retry.outcome)
            signals.allowed { printer.retry(run, retry, from: pause.kept) }
        }
        let wake = await run.waiter.wait(until: .now + pause.duration) { false }
        if case .interruption(let why) = wake { throw .interrupted(why) }
        // Files may have changed during the wait.
        if let retry = pause.retry { try checkBody(task, after: retry.outcome) }
        return run.change { $0.paused() }
    }

    /// Records the states of the request body's files before they are first sent.
    private func noteSentFiles() {
        guard plan.body.isSent else { return }
        run.sentFiles.withLock { $0 = $0 ?? SentFiles(of: plan.body) }
    }

    /// Checks before the wait that the body can be sent again; throws `requestBodyStreamExhausted`.
    private func checkBody(
        _ task: URLSessionTask?,
        after outcome: TaskOutcome
    ) throws(TaskOutcome) {
        guard plan.body.isSent, task?.sendsBody ?? true else { return }
        do throws(URLError) {
            try run.sentFiles.withLock({ $0 })?.check()
            _ = try plan.body.open(delegate.bodies)
        } catch {
            var error = error
            if let why = outcome.words { error.detail += " (\(why))" }
            throw .error(error)
        }
    }
}

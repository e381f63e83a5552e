import FoundationEssentials
import URLLoading

// What comes after a try: the end, or a wait and another.
extension TaskRunner {
    /// Where a try begins.
    enum Course {
        /// With a look at what there is.
        case firstLook
        /// At the URL of the command line, and perhaps in the middle of a file.
        case first(ResumeData?)
        /// At the request with which a task has failed, and perhaps in the middle of a file.
        case repeating(URLSessionTask, ResumeData?)
    }

    /// Before the next of many parts that have brought hardly anything.
    private static let pauseAmongCrumbs: Duration = .milliseconds(500)

    /// What comes next.
    enum Continuation {
        case over(TaskEnd)
        case again(Course)
    }

    func makeTask(_ course: Course) throws(URLError) -> URLSessionTask {
        let delivered = run.deliveredPart
        switch course {
        case .firstLook: return try makeTask(.first(nil))
        case .first(let data):
            run.note(isContinuing: data != nil)
            run.note(beginsLater: false)
            run.change { $0.redirectHeads = "" }
            run.noteSentFiles()
            return try plan.makeTask(
                in: session,
                delegate.bodies,
                data,
                after: delivered,
                isConditional: !run.get(\.fetchesAnyway)
            )
        case .repeating(let failed, let data):
            run.note(isContinuing: data != nil)
            run.note(beginsLater: true)
            return plan.makeTask(in: session, repeating: failed, data, after: delivered)
        }
    }

    /// Ends the run, or waits until it is time for another try.
    ///
    /// - Parameters:
    ///   - outcome: how the last try ended.
    ///   - kept: what is left of a download.
    ///   - task: the session's task; nil where there was none.
    /// - Returns: what comes next.
    func follow(
        _ outcome: TaskOutcome,
        _ kept: ResumeData?,
        _ task: URLSessionTask?
    ) async -> Continuation {
        if case .success = outcome, run.get(\.isShort) {
            // The next part is there to be asked for: nothing has failed.
            if run.beginNextPart() {
                let pause = ContinuousClock.now + Self.pauseAmongCrumbs
                let wake = await run.waiter.wait(until: pause) { false }
                if case .interruption(let why) = wake {
                    return .over(.interrupted(interrupted(why, kept)))
                }
            }
            return .again(course(after: task, nil))
        }
        let decision = run.decision(
            on: event(outcome),
            of: task,
            reached: kept?.receivedBytes ?? run.deliveredPart?.count ?? 0,
            maxTime: settings.maxTime
        )
        guard case .retry(let wait, let fromFirst) = decision else {
            return .over(await conclude(final(outcome, decision), kept))
        }
        if let obstacle = run.deliveredPart?.obstacle, !run.forgetHeld() {
            let decision = RetryDecision.giveUp(.cannotGoOn(obstacle))
            return .over(await conclude(final(outcome, decision), kept))
        }
        do throws(URLError) {
            try checkBody(task, after: outcome)
        } catch {
            return .over(await conclude(.error(error), kept))
        }
        signals.allowed { printer.retry(run, outcome, in: wait, from: kept, fromFirst: fromFirst) }
        let wake = await run.waiter.wait(until: .now + wait.duration) { false }
        if case .interruption(let why) = wake {
            return .over(.interrupted(interrupted(why, kept)))
        }
        // Files have had time to change.
        do throws(URLError) {
            try checkBody(task, after: outcome)
        } catch {
            return .over(await conclude(.error(error), kept))
        }
        // What stays without anything to ask by has to be compared once more.
        let looksAgain = task == nil || (kept == nil && run.get(\.isContinuing))
        run.beginAgain()
        if looksAgain { return .again(.firstLook) }
        if !fromFirst { return .again(course(after: task, kept)) }
        run.noteBeginsAtFirst()
        return .again(.first(kept))
    }

    /// Where the next try begins that goes on with the last.
    private func course(after task: URLSessionTask?, _ kept: ResumeData?) -> Course {
        guard let task, task.redirectCount > 0 else { return .first(kept) }
        return .repeating(task, kept)
    }

    private func event(_ outcome: TaskOutcome) -> RetryFailure.Event {
        switch outcome {
        // What our own side has against a task is against the next one, too.
        case .error(let error) where run.get(\.failure) == nil: .error(error)
        case .status(let status): .status(status, retryAfter: nil)
        default: .other
        }
    }

    /// Sees that the body can be had from its first byte once more, before anybody waits for that.
    ///
    /// Throws `requestBodyStreamExhausted`.
    private func checkBody(
        _ task: URLSessionTask?,
        after outcome: TaskOutcome
    ) throws(URLError) {
        guard plan.body.isSent, task?.sendsBody ?? true else { return }
        do throws(URLError) {
            try run.get(\.sentFiles)?.check()
            _ = try plan.body.open(delegate.bodies)
        } catch {
            var error = error
            if let why = outcome.words { error.detail += " (\(why))" }
            throw error
        }
    }

    /// What is said of the end: with what went out of a body that cannot be gone on with.
    private func final(_ outcome: TaskOutcome, _ decision: RetryDecision) -> TaskOutcome {
        guard let delivered = run.deliveredPart, run.get(\.failure) == nil else { return outcome }
        switch (outcome, decision) {
        case (.error(let error), .giveUp(.cannotGoOn(let why))):
            return .error(delivered.end(why, after: error))
        case (.status(let status), _) where delivered.obstacle == nil:
            // What has come of it is no error's.
            return .error(delivered.end("the server answers \(status)"))
        default: return outcome
        }
    }
}

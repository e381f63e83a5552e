import URLLoading

// The end of an attempt.
extension FetchLifecycle {
    /// The maximum time for a task's clean-up after a signal.
    private static let stopTimeout: Duration = .seconds(5)
    /// The maximum time after a signal for a task that has nothing to clean up.
    private static let shortGrace: Duration = .milliseconds(500)
    /// The time after `--max-time` in which the session may still end the task itself.
    static let grace: Duration = .seconds(1)

    /// Handles the end of the runner's wait; `kept` is the resume data of the kept part.
    mutating func waitEnded(
        _ wake: Waiter.Wake,
        kept: ResumeData? = nil,
        _ finished: @autoclosure () -> Finished = Finished(),
        _ buffer: @autoclosure () -> BufferState = BufferState(),
        now: MonotonicInstant
    ) -> Action {
        switch (state, wake) {
        case (.attempting, .bell):
            let outcome = outcome(attempt.error, now)
            attempt.error = nil
            guard case .notModified = outcome else {
                return follow(outcome, kept, finished(), buffer(), now)
            }
            guard !examinesAgain else {
                state = .examiningAgain
                return .examineAgain
            }
            let end = expected == nil ? outcome : Self.unproven(304)
            return follow(end, kept, finished(), buffer(), now)
        case (.attempting, .late):
            state = .late
            return .stop(within: Self.grace)
        case (.attempting, .interruption(let why)):
            state = .stopping(why)
            // The runner waits only if a part file must be closed or removed, or if a reader of
            // events or the HAR file needs the end.
            let hasPart = naming.file != nil || attempt.download != nil
            let isLong = hasPart && !attempt.isErrorWhole || rules.wantsEveryEnd
            let limit = isLong ? Self.stopTimeout : Self.shortGrace
            return .stop(within: isLong || rules.isFollowed ? limit : nil)
        case (.late, .bell): return conclude(.timeLimit(rules.maxTime), kept)
        // A blocked output delays the task, which the session cannot detect.
        case (.late, .late), (.late, .interruption): return abandon(.stuck, nil)
        case (.stopping(let why), .late): return end(.interrupted(why))
        // A second signal ends the process at once.
        case (.stopping, .interruption(.signal(let number))): return .die(number)
        case (.stopping(let why), .bell), (.stopping(let why), .interruption(.failEarly)):
            return abandon(.interrupted(why), kept)
        default: return illegal()
        }
    }

    /// Whether the existing file must be checked after a 304.
    private var examinesAgain: Bool {
        guard let file = kind.file, !fetchesAnyway else { return false }
        return file.isTimestamped || expected != nil
    }

    /// Handles the result of that check.
    mutating func examinedAgain(differs: Bool) -> Action {
        guard differs else { return conclude(.notModified, nil) }
        fetchesAnyway = true
        beginAgain()
        // With -c, the existing file may be the beginning of the server's file.
        return kind.file?.continues == true ? examine() : start(nil)
    }

    /// Handles the failure of the runner's action.
    mutating func failed(
        _ outcome: TaskOutcome,
        _ buffer: @autoclosure () -> BufferState = BufferState(),
        now: MonotonicInstant
    ) -> Action {
        switch (state, outcome) {
        case (.concluding(.kept, let kept), .error): return awaitTurn(outcome, kept)
        case (.pausing(let pause), .interrupted): return abandon(outcome, pause.kept)
        case (_, .interrupted): return end(outcome)
        case (.comparingEnd, _), (.comparingWhole, _), (.attempting, _), (.examiningAgain, _):
            if case .status(let status) = outcome { attempt.status = status }
            return follow(resolved(outcome, now), nil, nil, buffer(), now)
        case (.pausing(let pause), _): return conclude(outcome, pause.kept)
        default: return conclude(outcome, nil)
        }
    }
}

// After an attempt: the end of the task, or a pause and another attempt.
extension FetchLifecycle {
    /// The pause before the next request after many small parts.
    private static let pauseAmongSmallParts: Duration = .milliseconds(500)

    mutating func follow(
        _ outcome: TaskOutcome,
        _ kept: ResumeData?,
        _ finished: Finished?,
        _ buffer: @autoclosure () -> BufferState = BufferState(),
        _ now: MonotonicInstant
    ) -> Action {
        if case .success = outcome {
            guard isShort else { return conclude(.success, kept) }
            // The next part is requested, although nothing has failed.
            attempts.noteNextPart(after: advance)
            let pause = Pause(duration: Self.pauseAmongSmallParts, finished: finished)
            guard attempts.isSlow else { return next(after: pause) }
            state = .pausing(pause)
            return .pause(pause)
        }
        let decision = decide(
            event(outcome),
            method: finished?.method,
            reached: kept?.receivedBytes ?? delivered?.count ?? 0,
            buffer(),
            now
        )
        guard case .retry(let wait, let fromFirst) = decision else {
            return conclude(final(outcome, decision), kept)
        }
        let pause = Pause(
            duration: wait.duration,
            retry: (outcome, wait, fromFirst),
            kept: kept,
            finished: finished,
            mustDiscard: delivered?.blocker != nil
        )
        state = .pausing(pause)
        return .pause(pause)
    }

    /// Ends the task: delivered bytes can be neither discarded nor continued.
    mutating func cannotContinue() -> Action {
        guard case .pausing(let pause) = state, let retry = pause.retry else { return illegal() }
        let decision = RetryDecision.giveUp(.cannotGoOn(delivered?.blocker ?? ""))
        return conclude(final(retry.outcome, decision), pause.kept)
    }

    mutating func paused() -> Action {
        guard case .pausing(let pause) = state else { return illegal() }
        return next(after: pause)
    }

    mutating func next(after pause: Pause) -> Action {
        // A part without a validator must be compared again.
        let examinesAgain =
            pause.finished == nil
            || (pause.retry != nil && pause.kept == nil && attempt.isContinuing)
        beginAgain()
        if examinesAgain { return examine() }
        guard pause.retry?.fromFirst == true else {
            return start(isRepeating: pause.finished?.redirects ?? 0 > 0, pause.kept)
        }
        attempts.hasBegunAtFirst = true
        return start(pause.kept)
    }

    private func event(_ outcome: TaskOutcome) -> RetryFailure.Event {
        switch outcome {
        // A local error would recur in the next attempt.
        case .error(let error) where attempt.stopped == nil: .error(error)
        case .status(let status): .status(status, retryAfter: nil)
        default: .other
        }
    }

    /// Decides whether to retry a failed attempt, once for each attempt.
    ///
    /// It may decide at the response's head already, because the use of the body depends on it.
    /// Without a method, no request was sent. `reached` are the received bytes; `nil`: no new ones.
    mutating func decide(
        _ event: RetryFailure.Event,
        method: String?,
        reached: Int64?,
        _ buffer: @autoclosure () -> BufferState,
        _ now: MonotonicInstant
    ) -> RetryDecision {
        // A local failure is final, whatever was decided at the response's head.
        if !event.isOurs, let decision = attempt.decision { return decision }
        var failure = RetryFailure(event: event)
        if let method { failure.method = method }
        failure.mayBeginAtFirst = attempts.beginsLater && !attempts.hasBegunAtFirst
        // A body that is only buffered can be discarded.
        if let delivered, !buffer().isBuffered { failure.blocker = delivered.blocker }
        let decision = attempts.counter.decision(
            on: failure,
            reached: reached ?? attempts.counter.furthest,
            timeLeft: rules.maxTime.map { started + $0 - now },
            at: now
        )
        attempt.decision = decision
        return decision
    }
}

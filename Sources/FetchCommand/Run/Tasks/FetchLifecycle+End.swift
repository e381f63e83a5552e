import URLLoading

// The end.
extension FetchLifecycle {
    mutating func conclude(
        _ outcome: TaskOutcome,
        _ kept: ResumeData?,
        _ now: ContinuousClock.Instant
    ) -> Action {
        state = .concluding(outcome, kept: kept)
        if case .kept(let path, let why) = outcome, why != .isUnderWay, expected != nil {
            return .compareDigest(path: path, isKept: true)
        }
        return awaitTurn(outcome, kept)
    }

    mutating func awaitTurn(_ outcome: TaskOutcome, _ kept: ResumeData?) -> Action {
        state = .concluding(outcome, kept: kept)
        // What has failed with nothing to write need not wait for that to be said; a report has its
        // place among the bodies.
        let isEmpty = outcome.exitStatus != .success && bytes == 0 && !rules.reports
        guard hasTurn, naming.file == nil, !isEmpty else { return .conclude(outcome, kept: kept) }
        return .awaitTurn
    }

    /// The turn to write has come, and what was held is written.
    mutating func turnCame(now: ContinuousClock.Instant) -> Action {
        guard case .concluding(let outcome, let kept) = state else { return illegal() }
        guard case .success = outcome else { return .conclude(outcome, kept: kept) }
        // What was held could be written only now.
        return .conclude(self.outcome(nil, now), kept: kept)
    }

    mutating func leave(_ outcome: TaskOutcome, _ kept: ResumeData?) -> Action {
        state = .ended
        return .leave(outcome, kept: kept)
    }

    mutating func end(_ outcome: TaskOutcome) -> Action {
        state = .ended
        return .end(outcome)
    }

    mutating func illegal() -> Action {
        assertionFailure("no event of \(state)")
        return end(.error(URLError(.unknown)))
    }

    /// Weighs what we did against what the session reports: what we stopped ourselves comes back as
    /// `cancelled`, so our own reason goes first.
    ///
    /// An error status stays what it is, whatever becomes of its body.
    func outcome(_ error: URLError?, _ now: ContinuousClock.Instant) -> TaskOutcome {
        if attempt.stopped == .outputClosed { return .outputClosed }
        if let status = attempt.status, status >= 400 { return .status(status) }
        if let stopped = attempt.stopped { return stopped }
        guard let error else { return brought() }
        switch (error.code, attempt.status) {
        case (.timedOut, _):
            guard let limit = rules.maxTime, now - started >= limit else { return .error(error) }
            return .timeLimit(limit)
        case (.cancelled, 304): return .notModified
        // Nothing was to be had, and no file was made of it.
        case (.cancelled, 204): return brought()
        default: return .error(error)
        }
    }

    /// What an attempt comes to that has ended well: more may have been expected of it.
    func brought() -> TaskOutcome {
        if attempt.skip > 0, let delivered {
            return .error(delivered.end("the server's body is shorter now"))
        }
        if isShort, advance <= 0 {
            return .error(URLError(.networkConnectionLost, detail: "a part had no bytes"))
        }
        return .success
    }

    func weighed(_ outcome: TaskOutcome, _ now: ContinuousClock.Instant) -> TaskOutcome {
        switch outcome {
        case .error(let error): self.outcome(error, now)
        case .status: self.outcome(nil, now)
        default: outcome
        }
    }

    /// What is said of the end: with what went out of a body that cannot be gone on with.
    func final(_ outcome: TaskOutcome, _ decision: RetryDecision) -> TaskOutcome {
        guard let delivered, attempt.stopped == nil else { return outcome }
        switch (outcome, decision) {
        case (.error(let error), .giveUp(.cannotGoOn(let why))):
            return .error(delivered.end(why, after: error))
        case (.status(let status), _) where delivered.blocker == nil:
            // What has come of it is no error's.
            return .error(delivered.end("the server responds \(status)"))
        default: return outcome
        }
    }

    /// What has gone wrong with a body whose status says more about the task, in words; `nil` where
    /// nothing has.
    func bodyError(_ error: URLError?) -> String? {
        guard case .attempting = state, let status = attempt.status, status >= 400 else {
            return nil
        }
        switch attempt.stopped {
        case .error(let error): return "\(error)"
        case .policy(let words): return words
        case nil: return error.flatMap { $0.code == .cancelled ? nil : "\($0)" }
        default: return nil
        }
    }
}

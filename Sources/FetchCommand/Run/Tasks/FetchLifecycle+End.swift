import URLLoading

// The end.
extension FetchLifecycle {
    mutating func conclude(
        _ outcome: TaskOutcome,
        _ kept: ResumeData?,
        _ now: MonotonicInstant
    ) -> Action {
        state = .concluding(outcome, kept: kept)
        if case .kept(let path, let why) = outcome, why != .isUnderWay, expected != nil {
            return .compareDigest(path: path, isKept: true)
        }
        return awaitTurn(outcome, kept)
    }

    mutating func awaitTurn(_ outcome: TaskOutcome, _ kept: ResumeData?) -> Action {
        state = .concluding(outcome, kept: kept)
        // A failed task without output need not wait for its turn, unless a report is printed in
        // order.
        let isEmpty = outcome.exitStatus != .success && bytes == 0 && !rules.reports
        guard hasTurn, naming.file == nil, !isEmpty else { return .conclude(outcome, kept: kept) }
        return .awaitTurn
    }

    /// The turn to write has begun, and the buffer is written.
    mutating func turnCame(now: MonotonicInstant) -> Action {
        guard case .concluding(let outcome, let kept) = state else { return illegal() }
        guard case .success = outcome else { return .conclude(outcome, kept: kept) }
        // The buffer was written only now.
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

    /// Combines local causes with the session's report.
    ///
    /// A local stop comes back as `cancelled`, so the local cause takes precedence.
    ///
    /// An error status remains, whatever happens to its body.
    func outcome(_ error: URLError?, _ now: MonotonicInstant) -> TaskOutcome {
        if attempt.stopped == .outputClosed { return .outputClosed }
        if let status = attempt.status, status >= 400 { return .status(status) }
        if let stopped = attempt.stopped { return stopped }
        guard let error else { return brought() }
        switch (error.code, attempt.status) {
        case (.timedOut, _):
            guard let limit = rules.maxTime, now - started >= limit else { return .error(error) }
            return .timeLimit(limit)
        case (.cancelled, 304): return .notModified
        // There was no content, and so no file.
        case (.cancelled, 204): return brought()
        default: return .error(error)
        }
    }

    /// The outcome of an attempt without errors, which may still be incomplete.
    func brought() -> TaskOutcome {
        if attempt.skip > 0, let delivered {
            return .error(delivered.end("the server's body is shorter now"))
        }
        if isShort, advance <= 0 {
            return .error(URLError(.networkConnectionLost, detail: "a part had no bytes"))
        }
        return .success
    }

    func weighed(_ outcome: TaskOutcome, _ now: MonotonicInstant) -> TaskOutcome {
        switch outcome {
        case .error(let error): self.outcome(error, now)
        case .status: self.outcome(nil, now)
        default: outcome
        }
    }

    /// The final outcome, with the delivered bytes of a body that cannot be continued.
    func final(_ outcome: TaskOutcome, _ decision: RetryDecision) -> TaskOutcome {
        guard let delivered, attempt.stopped == nil else { return outcome }
        switch (outcome, decision) {
        case (.error(let error), .giveUp(.cannotGoOn(let why))):
            return .error(delivered.end(why, after: error))
        case (.status(let status), _) where delivered.blocker == nil:
            // The delivered bytes are not those of an error.
            return .error(delivered.end("the server responds \(status)"))
        default: return outcome
        }
    }

    /// The error of a body whose status is the outcome, in words; `nil` if there is none.
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

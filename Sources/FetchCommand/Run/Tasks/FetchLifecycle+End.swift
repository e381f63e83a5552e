import URLLoading

// The end of a task.
extension FetchLifecycle {
    mutating func conclude(_ outcome: TaskOutcome, _ kept: ResumeData?) -> Action {
        if case .kept(let path, let why) = outcome, why != .inProgress, expected != nil {
            state = .concluding(outcome, kept: kept)
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

    /// Handles the beginning of the task's turn, after its buffer was written.
    mutating func turnBegan(now: MonotonicInstant) -> Action {
        guard case .concluding(let outcome, let kept) = state else { return illegal() }
        guard case .success = outcome else { return .conclude(outcome, kept: kept) }
        // The buffer was written only now, so an error may have occurred.
        return .conclude(self.outcome(nil, now), kept: kept)
    }

    mutating func abandon(_ outcome: TaskOutcome, _ kept: ResumeData?) -> Action {
        state = .ended
        return .abandon(outcome, kept: kept)
    }

    mutating func end(_ outcome: TaskOutcome) -> Action {
        state = .ended
        return .end(outcome)
    }

    mutating func illegal() -> Action {
        assertionFailure("no event of \(state)")
        return end(.error(URLError(.unknown)))
    }

    /// Combines a local cause with the error that the session reports.
    ///
    /// The session reports a local cancellation as `cancelled`, so the local cause takes
    /// precedence. An error status takes precedence over errors of its body.
    func outcome(_ error: URLError?, _ now: MonotonicInstant) -> TaskOutcome {
        if attempt.stopped == .outputClosed { return .outputClosed }
        if let status = attempt.status, status >= 400 { return .status(status) }
        if let stopped = attempt.stopped { return stopped }
        guard let error else { return completedOutcome() }
        switch (error.code, attempt.status) {
        case (.timedOut, _):
            guard let limit = rules.maxTime, now - started >= limit else { return .error(error) }
            return .timeLimit(limit)
        case (.cancelled, 304): return .notModified
        // A 204 has no content, so no file was created.
        case (.cancelled, 204): return expected == nil ? completedOutcome() : Self.unproven(204)
        default: return .error(error)
        }
    }

    /// The outcome of a response without a body, which proves no expected digest.
    static func unproven(_ status: Int) -> TaskOutcome {
        let detail = "the server's response has no body (status \(status))"
        return .error(URLError(.bodyDigestMismatch, detail: detail))
    }

    /// The outcome of an attempt without errors, which may still be incomplete.
    func completedOutcome() -> TaskOutcome {
        if attempt.skip > 0, let delivered {
            return .error(delivered.end("the server's body is shorter now"))
        }
        if isShort, advance <= 0 {
            return .error(
                URLError(.networkConnectionLost, detail: "the response contained no new bytes")
            )
        }
        return .success
    }

    func resolved(_ outcome: TaskOutcome, _ now: MonotonicInstant) -> TaskOutcome {
        switch outcome {
        case .error(let error): self.outcome(error, now)
        case .status: self.outcome(nil, now)
        default: outcome
        }
    }

    /// The final outcome, with the number of delivered bytes if the body cannot be continued.
    func final(_ outcome: TaskOutcome, _ decision: RetryDecision) -> TaskOutcome {
        guard let delivered, attempt.stopped == nil else { return outcome }
        switch (outcome, decision) {
        case (.error(let error), .giveUp(.cannotGoOn(let why))):
            return .error(delivered.end(why, after: error))
        case (.status(let status), _) where delivered.blocker == nil:
            // The delivered bytes do not belong to the error response.
            return .error(delivered.end("the server responded with status \(status)"))
        default: return outcome
        }
    }

    /// The error of the body of an error response, as text; `nil` if there is none.
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

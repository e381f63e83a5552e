import URLLoading

// Messages about retries.
extension Printer {
    /// A longer wait is always reported, because otherwise the run seems to hang.
    private static let reportedWait: Duration = .seconds(2)

    /// Reports a failed attempt that is followed by another.
    func retry(
        _ run: TaskRun,
        _ retry: (outcome: TaskOutcome, wait: RetryWait, fromFirst: Bool),
        from kept: ResumeData?
    ) {
        let wait = retry.wait
        let why =
            switch retry.outcome {
            case .error(let failure): words(failure)
            case .status(let status): HeadText.status(status)
            default: ""
            }
        run.progress.wait()
        let (delivered, bytes, counter) = run.get { ($0.delivered, $0.bytes, $0.attempts.counter) }
        let place =
            if let offset = kept?.receivedBytes ?? delivered?.count {
                "continuing at \(ByteText.size(offset))"
            } else if bytes > 0 {
                "starting over"
            } else {
                "trying again"
            }
        let limit = counter.policy.tries.map { " of \($0)" } ?? ""
        let asked = wait.asked.map { ", although the server asks for \(ByteText.time($0))" } ?? ""
        let words =
            "\(run.plan.address.redacted): \(why); \(place)"
            + (retry.fromFirst ? " from the first URL" : "")
            + " in \(ByteText.time(wait.duration))\(asked)"
            + " (try \(counter.failed + 1)\(limit))"
        guard verbosity == .quiet, wait.duration > Self.reportedWait else { return note(words) }
        line("fetch: \(words)")
    }

    /// The number of attempts, to be printed after the last error.
    func triesWords(_ run: TaskRun) -> String {
        let (attempts, decision) = run.get { ($0.attempts, $0.attempt.decision) }
        let tries = attempts.count - attempts.nextParts
        let why =
            switch decision {
            case .giveUp(.isTooLate): "; --max-time leaves no time for another"
            case .giveUp(.isAskedFor(let wait)):
                "; the server asks for a wait of \(ByteText.time(wait))"
            case .giveUp(.hasTakenTooLong) where attempts.counter.policy.isTimeNamed:
                "; --retry-max-time leaves no time for another"
            default: ""
            }
        return (tries > 1 ? "; given up after \(tries) tries" : "") + why
    }

    /// Why there is no further attempt, unless it is obvious.
    func retryHint(_ run: TaskRun) -> String? {
        switch run.get(\.attempt.decision) {
        case .giveUp(.mayBeDone(let method)):
            "the server may have processed it, so \(Printable.text(method)) is not repeated"
        case .giveUp(.isAskedFor): "-t N or --max-time SECONDS allows the wait"
        case .retry, .giveUp, nil: nil
        }
    }
}

extension RetryPolicy {
    fileprivate var isTimeNamed: Bool {
        if case .sinceBeginning? = timeLimit { true } else { false }
    }
}

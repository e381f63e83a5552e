import FoundationEssentials

// Calls by the program.
extension TaskLifecycle {
    /// `delay` is the time until the earliest begin date; zero or less: the date has passed; `nil`: no date is
    /// set.
    mutating func resume(delay: Duration? = nil) -> [Action] {
        guard isSuspended else { return [] }
        isSuspended = false
        stopwatch.start()
        switch state {
        case .ready:
            if let delay, hops == 0, !hasAskedDelayed { return waitForDate(delay) }
            return begin()
        case .delayed, .askingDelayed, .openingBody, .identifying, .choosingCertificate, .offline,
            .storing, .verifying, .ended:
            return []
        case .inTransferProcess where delay.map { $0 > .zero } == true:
            let words = "a background session does not support earliestBeginDate"
            return [.cancelHop] + end(URLError(.resourceUnavailable, detail: words))
        case .requesting, .deciding, .receiving, .leaving, .inTransferProcess: return [.resumeHop]
        }
    }

    mutating func suspend() -> [Action] {
        guard !isSuspended else { return [] }
        isSuspended = true
        stopwatch.stop()
        switch state {
        case .ready, .askingDelayed, .openingBody, .identifying, .choosingCertificate, .storing,
            .verifying, .ended:
            return []
        case .delayed:
            state = .ready
            return []
        case .offline:
            state = .ready
            return [.stopAwaitingNetwork]
        case .requesting, .deciding, .receiving, .leaving, .inTransferProcess: return [.suspendHop]
        }
    }

    /// Whether the task waits for an answer of its delegate.
    var isAwaitingAnswer: Bool {
        switch state {
        case .askingDelayed, .openingBody, .identifying, .choosingCertificate, .deciding, .storing:
            true
        default: false
        }
    }

    /// Ends the task if its time limit has passed while it waits for an answer of its delegate.
    mutating func answerIsLate() -> [Action] {
        guard isAwaitingAnswer, let timeLeft, timeLeft <= .zero else { return [] }
        return cancel(.wholeTimeout, producingResumeData: true)
    }

    /// `producesResumeData`: whether a download keeps its received bytes for a later task.
    mutating func cancel(
        _ error: URLError = URLError(.cancelled),
        producingResumeData producesResumeData: Bool = false
    ) -> [Action] {
        if case .ended = state { return [] }
        // Only the first cancellation decides whether the download keeps its bytes.
        let isFirst = !isCancelled
        if isFirst { self.producesResumeData = producesResumeData }
        isCancelled = true
        switch state {
        case .ready, .delayed, .askingDelayed, .openingBody, .choosingCertificate, .offline:
            return end(error)
        case .identifying(_, let hopEnd), .storing(let hopEnd), .verifying(let hopEnd):
            return end(error, hopEnd)
        case .inTransferProcess: return isFirst ? [.cancelHop] : []
        case .ended, .leaving(_, .fail): return []
        case .deciding(let id, _): return leave(id, error, wasAsked: true)
        case .requesting(let id), .receiving(let id), .leaving(let id, _):
            return leave(id, error, wasAsked: false)
        }
    }
}

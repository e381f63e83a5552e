import FoundationEssentials

// What the program asks for.
extension TaskLifecycle {
    /// - Parameter delay: what is left until the date before which nothing may begin; zero or less: it
    ///   has come; `nil`: there is none.
    /// - Returns: the actions.
    mutating func resume(delay: Duration? = nil) -> [Action] {
        guard isSuspended else { return [] }
        isSuspended = false
        stopwatch.start()
        switch state {
        case .ready:
            if let delay, hops == 0, !hasAskedDelayed { return waitForDate(delay) }
            return begin()
        case .delayed, .askingDelayed, .openingBody, .identifying, .choosingCertificate, .lookingUp,
            .offline, .storing,
            .verifying, .ended:
            return []
        case .elsewhere where delay.map { $0 > .zero } == true:
            let words = "a background session's tasks begin when they are resumed, and at no date"
            return [.cancelHop] + end(URLError(.resourceUnavailable, detail: words))
        case .requesting, .deciding, .receiving, .leaving, .elsewhere: return [.resumeHop]
        }
    }

    mutating func suspend() -> [Action] {
        guard !isSuspended else { return [] }
        isSuspended = true
        stopwatch.stop()
        switch state {
        case .ready, .askingDelayed, .openingBody, .identifying, .choosingCertificate, .lookingUp,
            .storing, .verifying, .ended:
            return []
        case .delayed:
            state = .ready
            return []
        case .offline:
            state = .ready
            return [.stopAwaitingNetwork]
        case .requesting, .deciding, .receiving, .leaving, .elsewhere: return [.suspendHop]
        }
    }

    /// - Parameters:
    ///   - error: what the task ends with.
    ///   - producesResumeData: whether what has come of a download stays, to be continued.
    /// - Returns: the actions.
    mutating func cancel(
        _ error: URLError = URLError(.cancelled),
        producingResumeData producesResumeData: Bool = false
    ) -> [Action] {
        if case .ended = state { return [] }
        // The first cancellation has decided what is kept.
        let isFirst = !isCancelled
        if isFirst { self.producesResumeData = producesResumeData }
        isCancelled = true
        switch state {
        case .ready, .delayed, .askingDelayed, .openingBody, .choosingCertificate, .offline:
            return end(error)
        case .identifying(_, let hopEnd), .lookingUp(let hopEnd), .storing(let hopEnd),
            .verifying(let hopEnd):
            return end(error, hopEnd)
        case .elsewhere: return isFirst ? [.cancelHop] : []
        case .ended, .leaving(_, .fail): return []
        case .deciding(let id, _): return leave(id, error, wasAsked: true)
        case .requesting(let id), .receiving(let id), .leaving(let id, .follow),
            .leaving(let id, .authenticate), .leaving(let id, .startOver),
            .leaving(let id, .serveStored), .leaving(let id, .askAgain):
            return leave(id, error, wasAsked: false)
        }
    }
}

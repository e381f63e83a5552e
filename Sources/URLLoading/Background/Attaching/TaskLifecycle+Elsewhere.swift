import FoundationEssentials

// A task that another process carries out: what is asked of it goes there, and its end comes from there.
extension TaskLifecycle {
    /// Leaves the task to another process, before anything of it has begun.
    mutating func moveElsewhere(isSuspended: Bool) {
        state = .elsewhere
        self.isSuspended = isSuspended
    }

    /// Takes where the task stands there, by somebody else's order.
    mutating func stands(isSuspended: Bool) {
        guard case .elsewhere = state, !isCancelled else { return }
        self.isSuspended = isSuspended
    }

    /// Takes what the task has come to there.
    ///
    /// - Parameters:
    ///   - error: what it has failed with; `nil`: it is whole.
    ///   - event: which event of its session's says so; `nil`: none, it ends in this process.
    /// - Returns: what is to be done; nothing where it has ended.
    mutating func endedElsewhere(
        _ error: URLError?,
        _ event: URLSession.BackgroundEvent? = nil
    ) -> [Action] {
        guard case .elsewhere = state else { return [] }
        state = .ended
        var hopEnd = HopEnd()
        hopEnd.error = error
        hopEnd.event = event
        // The transfer process has not taken the part that the task was to go on with.
        let isReturned = event == nil && isCancelled && producesResumeData
        return [
            .complete(error, hopEnd, isReturned ? .partial(resumePoint?.data.returned) : .nothing)
        ]
    }
}

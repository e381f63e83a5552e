import FoundationEssentials

// A first hop with an earliest begin date, before which the delegate is also asked.
extension TaskLifecycle {
    /// Waits for the date; asks the delegate if the date has passed.
    ///
    /// The time limit of the task does not run while it waits.
    mutating func waitForDate(_ delay: Duration) -> [Action] {
        guard delay > .zero else {
            state = .askingDelayed
            return [.askDelayed(currentRequest)]
        }
        stopwatch.stop()
        state = .delayed
        delays += 1
        return [.awaitDate(delay, delays)]
    }

    /// Handles the end of the wait with this number, or if it is `nil`, a change of the date.
    ///
    /// `delay` is the time until the date; `nil`: none is set. A wait that has been replaced has no effect.
    mutating func dateMayHaveCome(_ number: Int?, delay: Duration?) -> [Action] {
        guard case .delayed = state, number ?? delays == delays else { return [] }
        stopwatch.start()
        return waitForDate(delay ?? .zero)
    }

    /// Handles the delegate's disposition of a delayed request; without a body of its own, the new request
    /// has the task's.
    mutating func resolveDelay(
        _ disposition: URLSession.DelayedRequestDisposition,
        _ request: URLRequest?,
        ownBody: TaskBody? = nil
    ) -> [Action] {
        guard case .askingDelayed = state else { return [] }
        hasAskedDelayed = true
        switch disposition {
        case .continueLoading: break
        case .useNewRequest:
            currentRequest = request ?? currentRequest
            body = ownBody ?? body
        case .cancel: return cancel()
        }
        return beginNextHop()
    }
}

// A hop that failed without a network: the task waits for one, if configured, and begins the hop again.
extension TaskLifecycle {
    /// Decides whether the task waits for a network after a failed hop; `nil`: it does not.
    mutating func waitForNetwork(_ hopEnd: HopEnd) -> [Action]? {
        guard connectivity.isWanted, !isCancelled, let absence = hopEnd.absence else { return nil }
        switch absence {
        case .noName(.late) where timeLeft.map { $0 <= .zero } == true:
            return end(.wholeTimeout, hopEnd)
        case .noPath, .noName(.noResponse), .noName(.late): return awaitNetwork()
        case .noName(.found): return connectivity.mayRetryAfterLookUp() ? awaitNetwork() : nil
        case .noName(.unknown): return nil
        }
    }

    /// Begins the hop again after a change of the network, or after a delay.
    mutating func networkMayBeThere(_ reason: NetworkMonitor.Reason) -> [Action] {
        guard case .offline = state else { return [] }
        if case .change = reason { connectivity.noteChange() }
        return beginNextHop()
    }

    private mutating func awaitNetwork() -> [Action] {
        let reports: [Action] = connectivity.mustReport() ? [.reportWaiting] : []
        let delay = connectivity.nextDelay()
        guard !isSuspended else {
            state = .ready
            return reports + [.awaitNetwork(nil)]
        }
        state = .offline
        return reports + [.awaitNetwork(timeLeft.map { min(delay, max(.zero, $0)) } ?? delay)]
    }

    /// The rest of the time limit for the whole task.
    var timeLeft: Duration? { timeLimit.map { $0 - stopwatch.elapsed } }
}

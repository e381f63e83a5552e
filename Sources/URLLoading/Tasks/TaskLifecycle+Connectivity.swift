import FoundationEssentials

// A hop that failed without a network: the task waits for one, if configured, and begins the hop again.
extension TaskLifecycle {
    /// Decides whether the task waits for a network after a failed hop.
    ///
    /// - Returns: the actions; `nil` where the task does not wait.
    mutating func waitForNetwork(_ hopEnd: HopEnd) -> [Action]? {
        guard connectivity.isWanted, !isCancelled, let absence = hopEnd.absence else { return nil }
        switch absence {
        case .noPath: return awaitNetwork()
        case .noName(let host):
            state = .lookingUp(hopEnd)
            return [.lookUp(host, connectivity.beginLookUp(), timeLimit: timeLeft)]
        }
    }

    /// Handles the result of a second look-up of the host's name.
    ///
    /// - Parameters:
    ///   - number: the number of the look-up.
    ///   - finding: its result.
    /// - Returns: the actions; none where the result is late.
    mutating func lookedUp(_ number: Int, _ finding: NameLookUp) -> [Action] {
        guard case .lookingUp(let hopEnd) = state, number == connectivity.lookUp else { return [] }
        switch finding {
        case .noResponse: return awaitNetwork()
        case .found where connectivity.mayRetryAfterLookUp(): return awaitNetwork()
        case .found, .unknown: return end(hopEnd.error, hopEnd)
        case .late:
            // The time limit does not run while the task is suspended, so time may remain.
            guard let timeLeft, timeLeft > .zero else { return end(.wholeTimeout, hopEnd) }
            return []
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

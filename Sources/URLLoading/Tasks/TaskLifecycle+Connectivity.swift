import FoundationEssentials

// A hop for which there is no network: the task waits for one, where that is wanted, and begins the hop
// again.
extension TaskLifecycle {
    /// A hop has failed.
    ///
    /// - Returns: the actions; `nil` where the task does not wait.
    mutating func waitForNetwork(_ hopEnd: HopEnd) -> [Action]? {
        guard connectivity.isWanted, !isCancelled, let absence = hopEnd.absence else { return nil }
        // Nothing of it has been read.
        body = sentBody
        switch absence {
        case .noPath: return awaitNetwork()
        case .noName(let host):
            state = .lookingUp(hopEnd)
            return [.lookUp(host, connectivity.beginLookUp(), timeLimit: timeLeft)]
        }
    }

    /// Takes what another look-up has come to.
    ///
    /// - Parameters:
    ///   - number: which look-up.
    ///   - finding: what it came to.
    /// - Returns: the actions; none where the reply is late.
    mutating func lookedUp(_ number: Int, _ finding: NameLookUp) -> [Action] {
        guard case .lookingUp(let hopEnd) = state, number == connectivity.lookUp else { return [] }
        switch finding {
        case .noResponse: return awaitNetwork()
        case .found where connectivity.mayBelieveLookUp(): return awaitNetwork()
        case .found, .unknown: return end(hopEnd.error, hopEnd)
        case .late:
            // A suspended task has more time than it seemed.
            guard let timeLeft, timeLeft > .zero else { return end(Self.tooLate, hopEnd) }
            return []
        }
    }

    /// Something has changed, or time has passed.
    mutating func networkMayBeThere(_ reason: NetworkMonitor.Reason) -> [Action] {
        guard case .offline = state else { return [] }
        if case .change = reason { connectivity.noteChange() }
        return goOn()
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

    /// What is left of the time for the whole.
    var timeLeft: Duration? { timeLimit.map { $0 - stopwatch.elapsed } }

    static var tooLate: URLError {
        URLError(.timedOut, detail: "the time limit for the whole task was reached")
    }
}

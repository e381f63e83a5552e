import HTTPSemantics

/// The time limits of a transfer: as a whole, and without a byte that moves.
struct TransferClock {
    let idleTimeout: Duration?
    /// When the time limit ends, while the clock runs.
    private var deadline: MonotonicInstant?
    /// The time that is left, while the transfer is suspended.
    private var timeLeft: Duration?
    /// When something last happened.
    private var lastActivity: MonotonicInstant

    init(
        idleTimeout: Duration?,
        timeLimit: Duration?,
        now: MonotonicInstant
    ) {
        self.idleTimeout = idleTimeout
        deadline = timeLimit.map { now + $0 }
        lastActivity = now
    }

    /// Stops the time limit.
    mutating func suspend(_ now: MonotonicInstant) {
        timeLeft = deadline.map { $0 - now }
        deadline = nil
    }

    /// Ends `suspend`.
    mutating func resume(_ now: MonotonicInstant) {
        deadline = timeLeft.map { now + $0 }
    }

    /// Restarts the idle time, because bytes moved.
    mutating func noteActivity(_ now: MonotonicInstant) {
        lastActivity = now
    }

    /// Why the time is over, if it is.
    ///
    /// - Parameters:
    ///   - now: this moment.
    ///   - isIdleStopped: whether the transfer waits for something other than the network.
    ///   - next: set to the latest time for the next check.
    /// - Returns: the failure with which the transfer ends; `nil` while there is time.
    mutating func expiry(
        _ now: MonotonicInstant,
        isIdleStopped: Bool,
        next: inout MonotonicInstant
    ) -> TransferFailure? {
        if let deadline {
            if deadline <= now {
                return TransferFailure(
                    .timeLimit,
                    detail: "the time limit for the whole task was reached"
                )
            }
            next = min(next, deadline)
        }
        guard let idleTimeout else { return nil }
        if isIdleStopped { lastActivity = now }
        guard lastActivity + idleTimeout <= now else {
            next = min(next, lastActivity + idleTimeout)
            return nil
        }
        let seconds = Double(idleTimeout.milliseconds) / 1_000
        return TransferFailure(.idleTimeout, detail: "no data for \(seconds) seconds")
    }
}

/// The time limits of a transfer: as a whole, and without a byte that moves.
struct TransferClock {
    let idleTimeout: Duration?
    /// When the time limit ends, while the clock runs.
    private var deadline: ContinuousClock.Instant?
    /// The time that is left, while the transfer is suspended.
    private var timeLeft: Duration?
    /// When something last happened.
    private var lastActivity: ContinuousClock.Instant

    init(
        idleTimeout: Duration?,
        timeLimit: Duration?,
        now: ContinuousClock.Instant
    ) {
        self.idleTimeout = idleTimeout
        deadline = timeLimit.map { now + $0 }
        lastActivity = now
    }

    /// Stops the time limit.
    mutating func suspend(_ now: ContinuousClock.Instant) {
        timeLeft = deadline.map { $0 - now }
        deadline = nil
    }

    /// Ends `suspend`.
    mutating func resume(_ now: ContinuousClock.Instant) {
        deadline = timeLeft.map { now + $0 }
    }

    /// Restarts the idle time, because bytes moved.
    mutating func noteActivity(_ now: ContinuousClock.Instant) {
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
        _ now: ContinuousClock.Instant,
        isIdleStopped: Bool,
        next: inout ContinuousClock.Instant
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

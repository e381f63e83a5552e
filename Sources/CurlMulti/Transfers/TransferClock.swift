import HTTPSemantics

/// The time that a transfer has: as a whole, and without a byte that moves.
struct TransferClock {
    let idleTimeout: Duration?
    /// What the time limit leaves, while the clock runs: until when.
    private var deadline: MonotonicInstant?
    /// What the time limit leaves, while the transfer is suspended.
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

    /// Something has happened: the idle time begins anew.
    mutating func noteActivity(_ now: MonotonicInstant) {
        lastActivity = now
    }

    /// Why the time is over, if it is.
    ///
    /// - Parameters:
    ///   - now: this moment.
    ///   - isIdleStopped: whether it is not the network that is waited for.
    ///   - next: becomes the moment at which to look again at the latest.
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

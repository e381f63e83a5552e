import HTTPSemantics

/// The time limits of a transfer: for the whole, and for a silent network.
struct TransferClock {
    private let idleTimeout: Duration?
    /// The end of the time limit, while the clock runs.
    private var deadline: MonotonicInstant?
    /// The remaining time, while the transfer is suspended.
    private var timeLeft: Duration?
    private var lastActivity: MonotonicInstant

    init(idleTimeout: Duration?, timeLimit: Duration?, now: MonotonicInstant) {
        self.idleTimeout = idleTimeout
        deadline = timeLimit.map { now + $0 }
        lastActivity = now
    }

    /// Stops the time limit.
    mutating func suspend(_ now: MonotonicInstant) {
        timeLeft = deadline.map { $0 - now }
        deadline = nil
    }

    mutating func resume(_ now: MonotonicInstant) {
        deadline = timeLeft.map { now + $0 }
    }

    /// Restarts the idle time, since bytes have moved.
    mutating func noteActivity(_ now: MonotonicInstant) {
        lastActivity = now
    }

    /// The failure of a transfer that a time limit has ended; `nil` while there is time.
    ///
    /// `isIdleStopped`: whether the transfer waits for something other than the network. `next`: the latest
    /// time for the next check, which this may lower.
    mutating func expiry(
        _ now: MonotonicInstant,
        isIdleStopped: Bool,
        next: inout MonotonicInstant
    ) -> TransferFailure? {
        if let deadline {
            if deadline <= now {
                let words = "the time limit for the whole task was reached"
                return TransferFailure(.timeLimit, detail: words)
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

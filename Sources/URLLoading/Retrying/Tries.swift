/// What a task has tried so far.
package struct Tries: Sendable {
    package let policy: RetryPolicy
    /// In a row, without anything new.
    package private(set) var failed: Int
    /// How far it has come, bytes of the body.
    package private(set) var furthest: Int64 = 0
    private let beginning: ContinuousClock.Instant
    /// When something new was last brought; nil: nothing was.
    private var advance: ContinuousClock.Instant?

    /// - Parameters:
    ///   - policy: what is tried again.
    ///   - failed: what has failed in a row before.
    ///   - now: when the task begins.
    package init(_ policy: RetryPolicy, failed: Int = 0, now: ContinuousClock.Instant = .now) {
        self.policy = policy
        self.failed = failed
        beginning = now
    }

    /// So much was there before the first try.
    package mutating func begin(at count: Int64) {
        furthest = max(furthest, count)
    }

    /// Takes note of a try that failed.
    ///
    /// One that has brought something new is not counted, which no server can draw out for ever,
    /// since a body has an end.
    ///
    /// - Parameters:
    ///   - failure: what is known of it.
    ///   - reached: how far it has come, bytes of the body.
    ///   - timeLeft: until the time for the whole runs out; nil is without end.
    ///   - now: the moment.
    ///   - jitter: by chance, 0 to below 1.
    /// - Returns: what is to be done.
    package mutating func decision(
        on failure: RetryFailure,
        reached: Int64,
        timeLeft: Duration?,
        now: ContinuousClock.Instant = .now,
        jitter: @autoclosure () -> Double = .random(in: 0..<1)
    ) -> RetryDecision {
        failed = reached > furthest ? 1 : failed + 1
        if reached > furthest { advance = now }
        furthest = max(furthest, reached)
        return policy.decision(
            on: failure,
            failed: failed,
            timeLeft: timeLeft,
            retryTimeLeft: end.map { $0 - now },
            jitter: jitter()
        )
    }

    /// When the time is over in which there may be another try.
    private var end: ContinuousClock.Instant? {
        switch policy.timeLimit {
        case nil: nil
        case .sinceBeginning(let limit): beginning + limit
        case .sinceAdvance(let limit): (advance ?? beginning) + limit
        }
    }
}

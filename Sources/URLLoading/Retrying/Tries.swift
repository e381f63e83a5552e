/// What a task has tried so far.
package struct Tries: Sendable {
    package let policy: RetryPolicy
    /// In a row, without anything new.
    package private(set) var failed: Int
    /// How far it has come, bytes of the body.
    package private(set) var furthest: Int64 = 0

    /// - Parameters:
    ///   - policy: what is tried again.
    ///   - failed: what has failed in a row before.
    package init(_ policy: RetryPolicy, failed: Int = 0) {
        self.policy = policy
        self.failed = failed
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
    ///   - jitter: by chance, 0 to below 1.
    /// - Returns: what is to be done.
    package mutating func decision(
        on failure: RetryFailure,
        reached: Int64,
        timeLeft: Duration?,
        jitter: @autoclosure () -> Double = .random(in: 0..<1)
    ) -> RetryDecision {
        failed = reached > furthest ? 1 : failed + 1
        furthest = max(furthest, reached)
        return policy.decision(on: failure, failed: failed, timeLeft: timeLeft, jitter: jitter())
    }
}

/// What a task has tried so far.
struct Tries: Sendable {
    let policy: RetryPolicy
    /// In a row, without anything new.
    private(set) var failed = 0
    /// How far it has come, bytes of the body.
    private(set) var furthest: Int64 = 0

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// So much was there before the first try.
    mutating func begin(at count: Int64) {
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
    ///   - timeLeft: until `--max-time` runs out; nil is without end.
    ///   - jitter: by chance, 0 to below 1.
    /// - Returns: what is to be done.
    mutating func decision(
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

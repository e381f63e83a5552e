/// A failed attempt.
public struct RetryFailure: Sendable {
    /// The result of an attempt.
    public enum Event: Sendable {
        /// The response is missing or incomplete.
        case error(NetworkError)
        /// An error status, with the wait that the server demands.
        case status(Int, retryAfter: Duration?)
        /// A failure on the client's side: a file, a limit, a decision.
        case other

        /// Whether the failure is on the client's side.
        public var isOurs: Bool {
            if case .other = self { true } else { false }
        }

        /// The wait that the server demands.
        public var retryAfter: Duration? {
            if case .status(_, let wait) = self { wait } else { nil }
        }

        /// The same wait, under the name of version 1.0.
        @available(*, deprecated, renamed: "retryAfter")
        public var asked: Duration? { retryAfter }
    }

    /// An error of the network, with the properties that matter for retries.
    public struct NetworkError: Sendable, Hashable {
        /// The kind of an error, which decides whether it is temporary.
        public enum Kind: Sendable, Hashable {
            /// A temporary error: a time-out, a connection that broke, a network that is down.
            case passing
            /// No program listens at the address, or the Unix socket does not exist yet.
            case refused
            /// A proxy refused the tunnel with this status.
            case tunnel(status: Int)
            /// A permanent error: the next attempt would fail too.
            case lasting
            /// An error on the client's side: a file, a cancelled task.
            case own
        }

        /// The kind.
        public var kind: Kind
        /// Whether the server may have acted on the request.
        public var mayHaveReachedServer: Bool

        /// Sets both properties.
        public init(_ kind: Kind, mayHaveReachedServer: Bool) {
            self.kind = kind
            self.mayHaveReachedServer = mayHaveReachedServer
        }
    }

    /// The result of the attempt.
    public var event: Event
    /// The method of the request that failed: a redirect may have changed it.
    public var method = "GET"
    /// Whether the server may have acted on that request.
    public var mayHaveReachedServer: Bool {
        if case .error(let error) = event { error.mayHaveReachedServer } else { true }
    }
    /// Whether the attempt began at the target of an earlier redirect, and another may begin at the first
    /// URL.
    public var mayBeginAtFirst = false
    /// The reason why no attempt can continue the delivered part, as a text.
    ///
    /// `nil` if an attempt can continue it, or if there is none.
    public var blocker: String?

    /// Takes the result of an attempt, and the method of its request.
    public init(event: Event, method: String = "GET") {
        self.event = event
        self.method = method
    }
}

/// The decision whether to send a failed request again.
public enum RetryDecision: Equatable, Sendable {
    /// Another attempt after a wait.
    ///
    /// `fromFirst`: from the first URL, since the failed one has expired.
    case retry(RetryWait, fromFirst: Bool)
    /// No other attempt.
    case giveUp(Reason)

    /// The reason why there is no other attempt.
    public enum Reason: Equatable, Sendable {
        /// Another attempt would fail too.
        case isLasting
        /// The server may have acted on the request, and its method does not allow repetition.
        case mayBeDone(method: String)
        /// No attempt can continue the delivered part, for the given reason.
        case cannotGoOn(String)
        /// There have been as many attempts as the policy allows.
        case isUsedUp
        /// The time for the whole task would end before the next attempt.
        case isTooLate
        /// The time limit for attempts would end before the next attempt.
        case hasTakenTooLong
        /// The server demands a longer wait than the policy allows.
        case isAskedFor(Duration)
    }

    /// Whether there is another attempt.
    public var isRetry: Bool {
        if case .retry = self { true } else { false }
    }
}

/// The same counter, under the name of version 1.0.
@available(*, deprecated, renamed: "AttemptCounter")
public typealias Tries = AttemptCounter

/// Counts a task's attempts.
public struct AttemptCounter: Sendable {
    /// The policy for the attempts.
    public let policy: RetryPolicy
    /// The number of failed attempts in a row without new bytes.
    public private(set) var failed: Int
    /// The furthest position that an attempt has reached, in bytes of the body.
    public private(set) var furthest: Int64 = 0
    private let beginning: MonotonicInstant
    /// The moment when an attempt last reached new bytes; `nil` if none has.
    private var advance: MonotonicInstant?

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - policy: the policy for the attempts.
    ///   - failed: the failed attempts in a row before.
    ///   - now: the moment when the task begins.
    public init(_ policy: RetryPolicy, failed: Int = 0, now: ContinuousClock.Instant = .now) {
        self.init(policy, failed: failed, beginning: MonotonicInstant(now))
    }

    /// Begins to count.
    package init(_ policy: RetryPolicy, failed: Int = 0, beginning: MonotonicInstant) {
        self.policy = policy
        self.failed = failed
        self.beginning = beginning
    }

    /// Sets the number of bytes that were present before the first attempt.
    public mutating func begin(at count: Int64) {
        furthest = max(furthest, count)
    }

    /// Notes a failed attempt, and decides about another.
    ///
    /// An attempt that has reached new bytes restarts the count at 1. No server can prolong that for ever,
    /// since a body has an end.
    ///
    /// - Parameters:
    ///   - failure: the failed attempt.
    ///   - reached: the position that it has reached, in bytes of the body.
    ///   - timeLeft: the remaining time for the whole task; `nil`: no limit.
    ///   - now: the present moment.
    ///   - jitter: a random number from 0 to below 1.
    /// - Returns: the decision.
    public mutating func decision(
        on failure: RetryFailure,
        reached: Int64,
        timeLeft: Duration?,
        now: ContinuousClock.Instant = .now,
        jitter: @autoclosure () -> Double = .random(in: 0..<1)
    ) -> RetryDecision {
        decision(
            on: failure,
            reached: reached,
            timeLeft: timeLeft,
            at: MonotonicInstant(now),
            jitter: jitter()
        )
    }

    /// Notes a failed attempt, and decides about another.
    package mutating func decision(
        on failure: RetryFailure,
        reached: Int64,
        timeLeft: Duration?,
        at now: MonotonicInstant,
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

    /// The moment after which no other attempt may begin.
    private var end: MonotonicInstant? {
        switch policy.timeLimit {
        case nil: nil
        case .sinceBeginning(let limit): beginning + limit
        case .sinceAdvance(let limit): (advance ?? beginning) + limit
        }
    }
}

/// A failed try.
public struct RetryFailure: Sendable {
    /// How it ended.
    public enum Event: Sendable {
        /// No whole response.
        case error(NetworkError)
        /// An error status, with the wait that the server asks for.
        case status(Int, retryAfter: Duration?)
        /// Anything of the client's own side: a file, a limit, a decision.
        case other

        /// Whether it is of the client's own side.
        public var isOurs: Bool {
            if case .other = self { true } else { false }
        }

        /// The wait that the server asks for.
        public var asked: Duration? {
            if case .status(_, let wait) = self { wait } else { nil }
        }
    }

    /// An error of the network, as far as it matters here.
    public struct NetworkError: Sendable, Hashable {
        /// Whether it is temporary.
        public enum Kind: Sendable, Hashable {
            /// A temporary error: a time-out, a connection that broke, a network that is down.
            case transient
            /// Nothing listens there, or the socket is not there yet.
            case refused
            /// A proxy refused the tunnel with this status.
            case tunnel(status: Int)
            /// It is expected to be the same the next time.
            case permanent
            /// It is of the client's own side: a file, a cancelled task.
            case own
        }

        /// Whether it is temporary.
        public var kind: Kind
        /// Whether the server may have acted on the request.
        public var mayHaveReachedServer: Bool

        /// Takes both.
        public init(_ kind: Kind, mayHaveReachedServer: Bool) {
            self.kind = kind
            self.mayHaveReachedServer = mayHaveReachedServer
        }
    }

    /// How it ended.
    public var event: Event
    /// The method of the request that failed: a redirect may have changed it.
    public var method = "GET"
    /// Whether the server may have acted on that request.
    public var mayHaveReachedServer: Bool {
        if case .error(let error) = event { error.mayHaveReachedServer } else { true }
    }
    /// Whether the try began at a URL that a redirect had led an earlier one to, and may begin at the
    /// first URL instead.
    public var mayBeginAtFirst = false
    /// Why what was delivered already cannot be gone on with, in words; nil where it can, or nothing
    /// was.
    public var blocker: String?

    /// Takes what a try ended with, and the method of its request.
    public init(event: Event, method: String = "GET") {
        self.event = event
        self.method = method
    }
}

/// Decides whether a failed request is sent again.
public enum RetryDecision: Equatable, Sendable {
    /// Another try, after a wait; from the first URL instead of the one that failed where that says
    /// that it has run out.
    case retry(RetryWait, fromFirst: Bool)
    /// No other try.
    case giveUp(Reason)

    /// Why there is no other try.
    public enum Reason: Equatable, Sendable {
        /// It would be no different.
        case isPermanent
        /// The server may have acted on the request, and it is none that may be repeated.
        case mayBeDone(method: String)
        /// What was delivered cannot be gone on with, in words.
        case cannotGoOn(String)
        /// There were as many as may be.
        case isUsedUp
        /// The time for the whole would run out before it.
        case isTooLate
        /// The time in which there may be another try would run out before it.
        case hasTakenTooLong
        /// The server asks for a longer wait than it gets.
        case isAskedFor(Duration)
    }

    /// Whether there is another try.
    public var isRetry: Bool {
        if case .retry = self { true } else { false }
    }
}

/// What a task has tried so far.
public struct Tries: Sendable {
    /// What is tried again.
    public let policy: RetryPolicy
    /// How many have failed in a row, without anything new.
    public private(set) var failed: Int
    /// How far it has come, bytes of the body.
    public private(set) var furthest: Int64 = 0
    private let beginning: MonotonicInstant
    /// When something new was last brought; nil: nothing was.
    private var advance: MonotonicInstant?

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - policy: what is tried again.
    ///   - failed: what has failed in a row before.
    ///   - now: when the task begins.
    public init(_ policy: RetryPolicy, failed: Int = 0, now: ContinuousClock.Instant = .now) {
        self.init(policy, failed: failed, beginning: MonotonicInstant(now))
    }

    /// Begins to count.
    package init(_ policy: RetryPolicy, failed: Int = 0, beginning: MonotonicInstant) {
        self.policy = policy
        self.failed = failed
        self.beginning = beginning
    }

    /// So much was there before the first try.
    public mutating func begin(at count: Int64) {
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
    ///   - timeLeft: the time that is left for the whole; nil: no limit.
    ///   - now: the moment.
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

    /// Takes note of a try that failed.
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

    /// When the time is over in which there may be another try.
    private var end: MonotonicInstant? {
        switch policy.timeLimit {
        case nil: nil
        case .sinceBeginning(let limit): beginning + limit
        case .sinceAdvance(let limit): (advance ?? beginning) + limit
        }
    }
}

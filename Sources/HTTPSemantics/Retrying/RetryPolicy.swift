/// When a request that failed is sent again, as `URLSession.data(for:retrying:delegate:)` does.
///
/// Not in Foundation. It is sent again where the failure may be temporary: a time-out, a broken or
/// failed connection, a name service that does not respond, or one of the ``statuses``. It is sent
/// again only where that does no harm: its method is idempotent ([RFC 9110
/// §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)), or it certainly has not reached
/// its server. Each wait is longer than the one before, by chance up to half of it, and a server's
/// `Retry-After` is obeyed.
public struct RetryPolicy: Equatable, Sendable {
    /// The methods whose requests may be carried out twice without harm
    /// ([RFC 9110 §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)).
    private static let idempotentMethods: Set = [
        "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE",
    ]
    /// The statuses with which a server refuses a link that it has signed for a time.
    private static let expiredLinkStatuses: Set = [401, 403, 404, 410]

    /// Until when there may be another try.
    public enum TimeLimit: Equatable, Sendable {
        /// This long after the start of the first try.
        case sinceBeginning(Duration)
        /// This long after the start of the first try, or after a try last received new bytes of a body.
        case sinceAdvance(Duration)
    }

    /// The tries in a row without new bytes of a body, the first one included; `nil`: no limit.
    ///
    /// Default: 5.
    public var tries: Int?
    /// The longest wait between two tries without `Retry-After`; the first wait is a second.
    ///
    /// Default: 10 s.
    public var longestWait: Duration
    /// The length of each wait; `nil`, the default: waits grow.
    public var fixedWait: Duration?
    /// The longest `Retry-After` that is obeyed; after a longer one there is no other try.
    ///
    /// `nil`, the default: each wait is at most 300 s, or ``longestWait`` where that is longer.
    public var longestAsked: Duration?
    /// Until when another try may begin; `nil`, the default: no limit.
    public var timeLimit: TimeLimit?
    /// The error statuses that count as temporary.
    ///
    /// Default: ``StatusList/transient``.
    public var statuses: StatusList
    /// Whether a refused connection counts as temporary.
    ///
    /// Default: `false`.
    public var retriesRefused: Bool
    /// Whether every network error is temporary, also a status that is not among ``statuses``.
    ///
    /// Default: `false`.
    public var retriesAllErrors = false

    /// A policy; see its properties.
    public init(
        tries: Int? = 5,
        longestWait: Duration = .seconds(10),
        statuses: StatusList = .transient,
        retriesRefused: Bool = false
    ) {
        self.tries = tries
        self.longestWait = longestWait
        self.statuses = statuses
        self.retriesRefused = retriesRefused
    }

    /// Whether the requests of a method may be carried out twice without harm.
    public static func mayBeRepeated(_ method: String) -> Bool {
        idempotentMethods.contains(method)
    }

    /// Decides whether a failed request is sent again.
    ///
    /// - Parameters:
    ///   - failure: what is known of it.
    ///   - failed: the tries that have failed in a row without anything new, this one included.
    ///   - timeLeft: the time that is left for the whole; nil: no limit.
    ///   - retryTimeLeft: the time until ``timeLimit``; nil: no limit.
    ///   - jitter: a random number from 0 to below 1.
    /// - Returns: whether to wait, and for how long, or why there is no other try.
    public func decision(
        on failure: RetryFailure,
        failed: Int,
        timeLeft: Duration?,
        retryTimeLeft: Duration? = nil,
        jitter: @autoclosure () -> Double
    ) -> RetryDecision {
        let isExpiredLink = isExpiredLink(failure)
        guard isTransient(failure.event) || isExpiredLink else { return .giveUp(.isPermanent) }
        if let blocker = failure.blocker { return .giveUp(.cannotGoOn(blocker)) }
        if let tries, failed >= tries { return .giveUp(.isUsedUp) }
        guard Self.mayBeRepeated(failure.method) || !failure.mayHaveReachedServer
        else { return .giveUp(.mayBeDone(method: failure.method)) }
        let asked = failure.event.asked
        if let asked, let longestAsked, asked > longestAsked { return .giveUp(.isAskedFor(asked)) }
        let backoff =
            fixedWait ?? Backoff.wait(after: failed, upTo: longestWait, jitter: jitter())
        let wait = RetryWait(backoff: backoff, asked: asked, longest: longestWait)
        if let timeLeft, wait.duration >= timeLeft { return .giveUp(.isTooLate) }
        if let retryTimeLeft, wait.duration >= retryTimeLeft { return .giveUp(.hasTakenTooLong) }
        return .retry(wait, fromFirst: isExpiredLink)
    }

    /// Whether the try began at the target of a redirect, and that link has expired: the first URL may lead
    /// to a new one.
    private func isExpiredLink(_ failure: RetryFailure) -> Bool {
        guard case .status(let status, _) = failure.event else { return false }
        return failure.mayBeginAtFirst && Self.expiredLinkStatuses.contains(status)
    }

    /// Whether the next try may succeed.
    private func isTransient(_ event: RetryFailure.Event) -> Bool {
        switch event {
        case .status(let status, _): retriesAllErrors || statuses.contains(status)
        case .error(let error): isTransient(error.kind)
        case .other: false
        }
    }

    private func isTransient(_ kind: RetryFailure.NetworkError.Kind) -> Bool {
        switch kind {
        case .transient: true
        case .refused: retriesRefused || retriesAllErrors
        case .tunnel(let status): statuses.contains(status) || retriesAllErrors
        case .permanent: retriesAllErrors
        case .own: false
        }
    }
}

/// Statuses of HTTP, such as 404 and 410 to 412.
public struct StatusList: Equatable, Sendable {
    /// Temporary statuses: too slow, too often, too much, or a server behind the
    /// server that is down (408, 429, 500, 502, 503, 504).
    public static let transient = StatusList([408, 429, 500, 502, 503, 504])

    private var spans: [Span] = []

    /// No `ClosedRange`: an array of these is made by looking its element up among all types of the
    /// program, which is 1 % of a start.
    private struct Span: Equatable {
        let first: Int
        let last: Int
    }

    /// No status, or these.
    public init(_ statuses: [Int] = []) {
        spans = statuses.map { Span(first: $0, last: $0) }
    }

    /// Adds the statuses from one to another.
    public mutating func add(_ statuses: ClosedRange<Int>) {
        spans.append(Span(first: statuses.lowerBound, last: statuses.upperBound))
    }

    /// Whether a status is one of them.
    public func contains(_ status: Int) -> Bool {
        spans.contains { $0.first <= status && status <= $0.last }
    }
}

/// The conditions under which `URLSession.data(for:retrying:delegate:)` sends a failed request again.
///
/// Foundation has no such type. The session sends the request again if the failure may be temporary: a
/// time-out, a broken or failed connection, an unreachable name service, or one of the ``statuses``.
///
/// It does so only if that is harmless: the method is idempotent ([RFC 9110
/// §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)), or the request certainly has not
/// reached its server. Each wait is longer than the one before, and up to half of it is random. The
/// session obeys a server's `Retry-After`.
public struct RetryPolicy: Equatable, Sendable {
    /// The methods with requests that a server may execute twice without harm ([RFC 9110
    /// §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)).
    private static let idempotentMethods: Set = [
        "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE",
    ]
    /// The statuses with which a server refuses a signed link after its time.
    private static let expiredLinkStatuses: Set = [401, 403, 404, 410]

    /// The limit for the start of another attempt.
    public enum TimeLimit: Equatable, Sendable {
        /// This long after the start of the first attempt.
        case sinceBeginning(Duration)
        /// This long after the start of the first attempt, or after an attempt last received new bytes of a
        /// body.
        case sinceAdvance(Duration)
    }

    /// The attempts in a row without new bytes of a body, including the first; `nil`: no limit.
    ///
    /// Default: 5.
    public var tries: Int?
    /// The longest wait between two attempts without `Retry-After`; the first wait is a second.
    ///
    /// Default: 10 s.
    public var longestWait: Duration
    /// The length of each wait; `nil`, the default: waits grow.
    public var fixedWait: Duration?
    /// The longest `Retry-After` that we obey; after a longer one there is no other attempt.
    ///
    /// `nil`, the default: each wait is at most 300 s, or ``longestWait`` if that is longer.
    public var longestAsked: Duration?
    /// The limit for the start of another attempt; `nil`, the default: no limit.
    public var timeLimit: TimeLimit?
    /// The error statuses that count as temporary.
    ///
    /// Default: ``StatusList/transient``.
    public var statuses: StatusList
    /// Whether a refused connection counts as temporary.
    ///
    /// Default: `false`.
    public var retriesRefused: Bool
    /// Whether every network error counts as temporary, and so does a status outside of ``statuses``.
    ///
    /// Default: `false`.
    public var retriesAllErrors = false

    /// Makes a policy; see its properties.
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

    /// Whether a server may execute the requests of a method twice without harm.
    public static func mayBeRepeated(_ method: String) -> Bool {
        idempotentMethods.contains(method)
    }

    /// Decides whether to send a failed request again.
    ///
    /// - Parameters:
    ///   - failure: the failed attempt.
    ///   - failed: the failed attempts in a row without new bytes, including this one.
    ///   - timeLeft: the remaining time for the whole task; `nil`: no limit.
    ///   - retryTimeLeft: the time until ``timeLimit``; `nil`: no limit.
    ///   - jitter: a random number from 0 to below 1.
    /// - Returns: another attempt with its wait, or the reason why there is none.
    public func decision(
        on failure: RetryFailure,
        failed: Int,
        timeLeft: Duration?,
        retryTimeLeft: Duration? = nil,
        jitter: @autoclosure () -> Double
    ) -> RetryDecision {
        let isExpiredLink = isExpiredLink(failure)
        guard isTransient(failure.event) || isExpiredLink else { return .giveUp(.isLasting) }
        if let blocker = failure.blocker { return .giveUp(.cannotGoOn(blocker)) }
        if let tries, failed >= tries { return .giveUp(.isUsedUp) }
        guard Self.mayBeRepeated(failure.method) || !failure.mayHaveReachedServer
        else { return .giveUp(.mayBeDone(method: failure.method)) }
        let asked = failure.event.retryAfter
        if let asked, let longestAsked, asked > longestAsked {
            return .giveUp(.isAskedFor(asked))
        }
        let backoff =
            fixedWait ?? Backoff.wait(after: failed, upTo: longestWait, jitter: jitter())
        let wait = RetryWait(backoff: backoff, asked: asked, longest: longestWait)
        if let timeLeft, wait.duration >= timeLeft { return .giveUp(.isTooLate) }
        if let retryTimeLeft, wait.duration >= retryTimeLeft { return .giveUp(.hasTakenTooLong) }
        return .retry(wait, fromFirst: isExpiredLink)
    }

    /// Whether the target of a redirect has expired: the first URL may lead to a new link.
    private func isExpiredLink(_ failure: RetryFailure) -> Bool {
        guard case .status(let status, _) = failure.event else { return false }
        return failure.mayBeginAtFirst && Self.expiredLinkStatuses.contains(status)
    }

    /// Whether the next attempt may succeed.
    private func isTransient(_ event: RetryFailure.Event) -> Bool {
        switch event {
        case .status(let status, _): retriesAllErrors || statuses.contains(status)
        case .error(let error): isTransient(error.kind)
        case .other: false
        }
    }

    private func isTransient(_ kind: RetryFailure.NetworkError.Kind) -> Bool {
        switch kind {
        case .passing: true
        case .refused: retriesRefused || retriesAllErrors
        case .tunnel(let status): statuses.contains(status) || retriesAllErrors
        case .lasting: retriesAllErrors
        case .own: false
        }
    }
}

/// Statuses of HTTP, such as 404 and 410 to 412.
public struct StatusList: Equatable, Sendable {
    /// The temporary statuses (408, 429, 500, 502, 503, 504).
    ///
    /// They mean: too slow, too often, too much, or a failed server behind the server.
    public static let transient = StatusList([408, 429, 500, 502, 503, 504])

    /// The same statuses, under the name of version 1.0.
    @available(*, deprecated, renamed: "transient")
    public static var passing: StatusList { transient }

    private var spans: [Span] = []

    /// We use no `ClosedRange`: to make an array of these, Swift searches all types of the program for
    /// the element type, which takes 1 % of a start.
    private struct Span: Equatable {
        let first: Int
        let last: Int
    }

    /// Makes a list of statuses.
    public init(_ statuses: [Int] = []) {
        spans = statuses.map { Span(first: $0, last: $0) }
    }

    /// Adds a range of statuses.
    public mutating func add(_ statuses: ClosedRange<Int>) {
        spans.append(Span(first: statuses.lowerBound, last: statuses.upperBound))
    }

    /// Whether the list contains a status.
    public func contains(_ status: Int) -> Bool {
        spans.contains { $0.first <= status && status <= $0.last }
    }
}

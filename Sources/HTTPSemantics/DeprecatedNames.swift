// Public names of version 1.0 for which there are plainer names now.

/// The earlier name of ``CredentialError``.
@available(*, deprecated, renamed: "CredentialError")
public typealias CredentialFlaw = CredentialError

/// The earlier name of ``StoredHead``.
@available(*, deprecated, renamed: "StoredHead")
public typealias StoredAnswer = StoredHead

/// The earlier name of ``DigestCredentials``.
@available(*, deprecated, renamed: "DigestCredentials")
public typealias DigestAnswer = DigestCredentials

extension DigestAuthentication {
    /// The credentials for a request, as ``credentials(method:target:body:cnonce:)``.
    @available(*, deprecated, renamed: "credentials(method:target:body:cnonce:)")
    public mutating func answer(
        method: String,
        target: String,
        body: DigestBody,
        cnonce: String = Self.freshNonce()
    ) throws(CredentialError) -> DigestCredentials {
        try credentials(method: method, target: target, body: body, cnonce: cnonce)
    }
}

extension CacheRequest {
    /// Whether the cache may respond with a stored response.
    @available(*, deprecated, renamed: "mayBeServed")
    public var mayBeAnswered: Bool { mayBeServed }
}

extension RetryFailure {
    /// The reason why no attempt can continue the delivered part.
    @available(*, deprecated, renamed: "blocker")
    public var obstacle: String? {
        get { blocker }
        set { blocker = newValue }
    }
}

extension RetryFailure.NetworkError.Kind {
    /// A temporary error.
    @available(*, deprecated, renamed: "transient")
    public static var passing: Self { .transient }

    /// A permanent error.
    @available(*, deprecated, renamed: "permanent")
    public static var lasting: Self { .permanent }
}

extension RetryDecision.Reason {
    /// Another attempt would fail too.
    @available(*, deprecated, renamed: "isPermanent")
    public static var isLasting: Self { .isPermanent }

    /// The method does not allow repetition.
    @available(*, deprecated, renamed: "notRepeatable(method:)")
    public static func mayBeDone(method: String) -> Self { .notRepeatable(method: method) }

    /// No attempt can continue the delivered part, for the given reason.
    @available(*, deprecated, renamed: "notContinuable")
    public static func cannotGoOn(_ reason: String) -> Self { .notContinuable(reason) }

    /// There have been as many attempts as the policy allows.
    @available(*, deprecated, renamed: "attemptsExhausted")
    public static var isUsedUp: Self { .attemptsExhausted }

    /// The time for the whole task would end before the next attempt.
    @available(*, deprecated, renamed: "exceedsTimeLimit")
    public static var isTooLate: Self { .exceedsTimeLimit }

    /// The time limit for attempts would end before the next attempt.
    @available(*, deprecated, renamed: "exceedsRetryTime")
    public static var hasTakenTooLong: Self { .exceedsRetryTime }

    /// The server demands a longer wait than the policy allows.
    @available(*, deprecated, renamed: "retryAfterTooLong")
    public static func isAskedFor(_ wait: Duration) -> Self { .retryAfterTooLong(wait) }
}

extension DigestField.Reading {
    /// The field or its digest is malformed, with the reason.
    @available(*, deprecated, renamed: "malformed")
    public static func flawed(_ reason: String) -> Self { .malformed(reason) }
}

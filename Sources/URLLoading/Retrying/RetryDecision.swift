/// What is to be done about a try that failed.
package enum RetryDecision: Equatable, Sendable {
    /// Another try, after a wait; from the first URL instead of the one that failed where that says
    /// that it has run out.
    case retry(RetryWait, fromFirst: Bool)
    case giveUp(Reason)

    /// Why there is no other try.
    package enum Reason: Equatable, Sendable {
        /// It would be no different.
        case isLasting
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
    package var isRetry: Bool {
        if case .retry = self { true } else { false }
    }
}

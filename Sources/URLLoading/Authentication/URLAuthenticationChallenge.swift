import Synchronization

/// A server's or a proxy's demand for a credential, or a server's certificate to be trusted, as Foundation's
/// `URLAuthenticationChallenge`.
///
/// The delegate resolves it by the completion handler; the `sender` of a ``URLProtocol``'s
/// challenge is called then.
public final class URLAuthenticationChallenge: Sendable {
    /// What the credential is wanted for.
    public let protectionSpace: URLProtectionSpace
    /// What would be sent by default: the stored credential, the URL's own, or the one that has
    /// just failed; `nil` where there is none.
    ///
    /// After a failure it is not to be sent again as it is.
    public let proposedCredential: URLCredential?
    /// The times that a credential has been refused for this in this task.
    public let previousFailureCount: Int
    /// The response that refused; `nil` where it came to none, as for server trust.
    public let failureResponse: URLResponse?
    /// What went wrong the last time, where it was no response.
    public let error: (any Error)?
    /// The sender, where that is a protocol of the program's; not for delegates to call.
    public let sender: (any URLAuthenticationChallengeSender)?
    private let isUnhandled = Atomic(false)

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - protectionSpace: what the credential is wanted for.
    ///   - proposedCredential: what would be sent by default.
    ///   - previousFailureCount: the credentials refused so far.
    ///   - failureResponse: the response that refused.
    ///   - error: what went wrong, where it was no response.
    ///   - sender: the party that asks, and receives the disposition.
    public init(
        protectionSpace: URLProtectionSpace,
        proposedCredential: URLCredential?,
        previousFailureCount: Int,
        failureResponse: URLResponse?,
        error: (any Error)?,
        sender: (any URLAuthenticationChallengeSender)? = nil
    ) {
        self.protectionSpace = protectionSpace
        self.proposedCredential = proposedCredential
        self.previousFailureCount = previousFailureCount
        self.failureResponse = failureResponse
        self.error = error
        self.sender = sender
    }
}

extension URLAuthenticationChallenge {
    /// Records that the delegate does not implement the method.
    func markUnhandled() {
        isUnhandled.store(true, ordering: .relaxed)
    }

    /// Whether that was recorded since the last call.
    func wasUnhandled() -> Bool {
        isUnhandled.exchange(false, ordering: .relaxed)
    }
}

extension URLSession {
    /// A delegate's disposition of a challenge.
    public enum AuthChallengeDisposition: Int, Sendable, Hashable {
        /// Go on with this credential; without one, with none.
        case useCredential = 0
        /// Do as if there was no delegate.
        case performDefaultHandling = 1
        /// Give the task up.
        case cancelAuthenticationChallenge = 2
        /// Leave this method; the next one that the server offers is tried.
        case rejectProtectionSpace = 3
    }
}

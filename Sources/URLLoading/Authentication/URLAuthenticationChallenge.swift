import Synchronization

/// A request of a server or proxy for a credential, or for trust in its certificate, as Foundation's
/// `URLAuthenticationChallenge`.
///
/// The delegate resolves it by the completion handler; the `sender` of a ``URLProtocol``'s
/// challenge is called then.
public final class URLAuthenticationChallenge: Sendable {
    /// The protection space of the credential.
    public let protectionSpace: URLProtectionSpace
    /// The credential that is sent by default: the stored one, the URL's own, or the one that has
    /// just failed; `nil` where there is none.
    ///
    /// After a failure it must not be sent again unchanged.
    public let proposedCredential: URLCredential?
    /// How many credentials were refused for this space in this task.
    public let previousFailureCount: Int
    /// The response that refused; `nil` without a response, as for server trust.
    public let failureResponse: URLResponse?
    /// The last error, if there was no response.
    public let error: (any Error)?
    /// The sender, if that is a protocol of the program's; delegates do not call it.
    public let sender: (any URLAuthenticationChallengeSender)?
    private let isUnhandled = Atomic(false)

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - protectionSpace: the protection space of the credential.
    ///   - proposedCredential: the credential that is sent by default.
    ///   - previousFailureCount: the credentials refused so far.
    ///   - failureResponse: the response that refused.
    ///   - error: the last error, if there was no response.
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
        /// Continue with this credential, or without one.
        case useCredential = 0
        /// Continue as without a delegate.
        case performDefaultHandling = 1
        /// Cancel the task.
        case cancelAuthenticationChallenge = 2
        /// Skip this method, and try the next one that the server offers.
        case rejectProtectionSpace = 3
    }
}

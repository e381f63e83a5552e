import Synchronization

/// A request of a server or proxy for a credential, or for trust in its certificate, as Foundation's
/// `URLAuthenticationChallenge`.
///
/// The delegate resolves the challenge by the completion handler. For a challenge of a ``URLProtocol``
/// the library then calls the `sender`.
public final class URLAuthenticationChallenge: Sendable {
    /// The protection space of the credential.
    public let protectionSpace: URLProtectionSpace
    /// The default credential: the stored one, the URL's own, or the one that has just failed; `nil`: none.
    ///
    /// After a failure the delegate must not return it unchanged.
    public let proposedCredential: URLCredential?
    /// The number of refused credentials for this space in this task.
    public let previousFailureCount: Int
    /// The response with the challenge; `nil` without a response, as for server trust.
    public let failureResponse: URLResponse?
    /// The last error, if there was no response.
    public let error: (any Error)?
    /// The sender, if a `URLProtocol` of the program sent the challenge; delegates do not call it.
    public let sender: (any URLAuthenticationChallengeSender)?
    private let isUnhandled = Atomic(false)

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - protectionSpace: the protection space of the credential.
    ///   - proposedCredential: the default credential.
    ///   - previousFailureCount: the number of credentials refused so far.
    ///   - failureResponse: the response with the challenge.
    ///   - error: the last error, if there was no response.
    ///   - sender: the sender, which receives the disposition.
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
    /// Notes that the delegate does not implement the method.
    func markUnhandled() {
        isUnhandled.store(true, ordering: .relaxed)
    }

    /// Whether there was a call of ``markUnhandled()`` since the last call of this method.
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

/// What a session tells its delegate about itself.
///
/// Every method of every delegate is called on the session's delegate queue, one at a time.
public protocol URLSessionDelegate: AnyObject, Sendable {
    /// The session is invalid and all its tasks have ended. Once; the delegate is released after
    /// it returns.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: always `nil`: a session becomes invalid only because it was told to.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// A connection wants to be trusted, or to know who we are: server trust, client certificate,
    /// NTLM or Negotiate. The task waits for the answer.
    ///
    /// Not asked about Basic and Digest, which go to the task's delegate only. Where this is not
    /// implemented, the task's delegate is asked.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - challenge: who asks for what.
    ///   - completionHandler: takes what is to be done, and the credential for `useCredential`.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    )
}

extension URLSessionDelegate {
    /// Nothing.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// The task's delegate is asked.
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        challenge.passOn()
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Events of a session.
///
/// Every delegate method is called on the session's delegate queue, one at a time. An asynchronous
/// method begins there, and continues with its own isolation.
public protocol URLSessionDelegate: AnyObject, Sendable {
    /// The session is invalid and all its tasks have ended. Called once; the delegate is released
    /// afterwards.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: `nil` where the program invalidated the session. A background session can also become
    ///     invalid with a `URLError`: another program uses it
    ///     (`backgroundSessionInUseByAnotherProcess`); its transfer process cannot be started or
    ///     reached (`backgroundSessionWasDisconnected`); no folder is configured
    ///     (`backgroundSessionRequiresSharedContainer`); its files cannot be read (`cannotOpenFile`) or
    ///     written (`cannotWriteToFile`).
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// All tasks of a background session that can continue without the program have ended, and their
    /// events were delivered. Called once for each time.
    ///
    /// The call is repeated after a later task has ended. As every event of a background session, it
    /// counts as delivered when it has returned: see ``URLSession/backgroundEvent``.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

    /// A connection has a challenge: server trust, client certificate, NTLM or Negotiate. The task
    /// waits for the reply.
    ///
    /// Not called for Basic and Digest, which go only to the task's delegate. If this method is not
    /// implemented, the task's delegate is asked.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - challenge: the challenge of the server or proxy.
    ///   - completionHandler: takes the disposition, and the credential for `useCredential`.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension URLSessionDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// Does nothing.
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}

    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        Task.immediate {
            let (disposition, credential) = await urlSession(session, didReceive: challenge)
            completionHandler(disposition, credential)
        }
    }

    /// Asks the task's delegate.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        challenge.markUnhandled()
        return (.performDefaultHandling, nil)
    }
}

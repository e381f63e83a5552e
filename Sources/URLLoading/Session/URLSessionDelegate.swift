/// Reports of a session to its delegate.
///
/// Every method of every delegate is called on the session's delegate queue, one at a time. An asynchronous
/// one begins there, and continues with its own isolation.
public protocol URLSessionDelegate: AnyObject, Sendable {
    /// The session is invalid and all its tasks have ended. Once; the delegate is released after
    /// it returns.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: `nil` where the caller asked for it. A background session becomes invalid by itself too,
    ///     with a `URLError`. Another program has it (`backgroundSessionInUseByAnotherProcess`). Or
    ///     its transfer process cannot be started or reached (`backgroundSessionWasDisconnected`).
    ///     Or there is no place for it (`backgroundSessionRequiresSharedContainer`). Or its files
    ///     cannot be read (`cannotOpenFile`) or written (`cannotWriteToFile`).
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// All tasks of a background session that can continue without the program have ended, and were reported:
    /// the program has received everything that it was started again for. Once for each time.
    ///
    /// A later task that ends gives rise to another call. As all events of a background session it
    /// counts as delivered when it has returned: see ``URLSession/backgroundEvent``.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

    /// A connection has a challenge: server trust, client certificate, NTLM or Negotiate. The task waits for
    /// the reply.
    ///
    /// Not asked about Basic and Digest, which go to the task's delegate only. Where this is not
    /// implemented, the task's delegate is asked.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - challenge: what is asked for, by which server or proxy.
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

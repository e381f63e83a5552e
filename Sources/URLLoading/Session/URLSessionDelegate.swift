import Synchronization

/// Events of a session.
///
/// The session calls every delegate method on its delegate queue, one at a time. An asynchronous method
/// begins there, and continues with its own isolation.
public protocol URLSessionDelegate: AnyObject, Sendable {
    /// The session is invalid and all its tasks have ended. Called once; the session releases the delegate
    /// afterwards.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: `nil` if the program invalidated the session. A background session can also become invalid
    ///     with a `URLError`. Another program uses it (`backgroundSessionInUseByAnotherProcess`). It cannot
    ///     start or reach its transfer process (`backgroundSessionWasDisconnected`). It has no folder
    ///     (`backgroundSessionRequiresSharedContainer`). It cannot read (`cannotOpenFile`) or write
    ///     (`cannotWriteToFile`) its files.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// All tasks of a background session that can continue without the program have ended.
    ///
    /// The session has also delivered their events.
    ///
    /// The call is repeated after a later task has ended. As every event of a background session, it
    /// counts as delivered when it has returned: see ``URLSession/backgroundEvent``.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

    /// A connection has a challenge: server trust, client certificate, NTLM or Negotiate. The task
    /// waits for the reply.
    ///
    /// Not called for Basic and Digest, which go only to the task's delegate. If the delegate does not
    /// implement this method, the session asks the task's delegate.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - challenge: the challenge of the server or proxy.
    ///   - completionHandler: takes the disposition, and the credential for `useCredential`.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
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
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
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

/// A session's delegate by its protocols; `nil` where it does not conform to one.
///
/// Computed once for each session: a cast to a protocol searches all types of the program, which takes
/// 1 % of a small fetch.
final class DelegateRoles: Sendable {
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) {
        task = delegate as? any URLSessionTaskDelegate
        data = task as? any URLSessionDataDelegate
        download = task as? any URLSessionDownloadDelegate
    }

    fileprivate init(_ delegate: some URLSessionDataDelegate & URLSessionDownloadDelegate) {
        task = delegate
        data = delegate
        download = delegate
    }
}

extension URLSession {
    /// The protocols that the session's delegate conforms to.
    var delegateRoles: DelegateRoles {
        locked.withLock { locked in
            if let roles = locked.roles { return roles }
            let roles = DelegateRoles(locked.delegate)
            locked.roles = roles
            return roles
        }
    }

    /// Notes the protocols of the session's delegate, so that calls need no cast.
    package func note(delegate: some URLSessionDataDelegate & URLSessionDownloadDelegate) {
        locked.withLock { locked in
            guard locked.delegate === delegate else { return }
            locked.roles = DelegateRoles(delegate)
        }
    }
}

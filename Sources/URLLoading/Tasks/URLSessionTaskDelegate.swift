public import FoundationEssentials

/// Events and questions about tasks of every kind.
///
/// The session calls a task's own delegate first. It calls methods that this delegate does not implement on
/// the session's delegate.
///
/// A question has two forms, as in Foundation: with a completion handler, or asynchronous. If a
/// delegate has both, the session calls the one with the completion handler.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// The session has created a task.
    ///
    /// This is the first call about the task, and the only one outside of the delegate queue. The thread
    /// that creates the task makes the call, before it returns the task. So the delegate can configure the
    /// task.
    ///
    /// The session calls only its own delegate, because the task has none yet. It makes no call for a task
    /// that an invalidated session refused, nor for earlier tasks of a background session.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task, suspended.
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

    /// The ``URLSessionTask/earliestBeginDate`` of a task has passed, and the task is about to begin.
    /// Called once for each such task; the task waits for the reply.
    ///
    /// Not called in a background session: see ``URLSessionTask/earliestBeginDate``.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - request: the request to load.
    ///   - completionHandler: takes the disposition, and the request for `useNewRequest`.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest
    ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

    /// The server redirects. Called for each redirect; the task waits for the reply.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - response: the redirect.
    ///   - request: the next request, by the rules of RFC 9110, without the fields that belong to
    ///     another origin.
    ///   - completionHandler: takes the next request, or `nil` to make the redirect's own
    ///     response and body the result.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?

    /// An interim response (1xx) has arrived, such as 103 Early Hints. Called any number of times,
    /// before the final response. Not called for 101, which this library never requests.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - response: its status and header.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    )

    /// No network is available, and the task waits for one, as
    /// ``URLSessionConfiguration/waitsForConnectivity`` configures. Called at most once for each task;
    /// the task continues by itself.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// A server or a proxy sent a challenge: Basic or Digest. For NTLM, Negotiate, a client certificate and
    /// server trust, the session calls this only if its own delegate does not implement its method. The task
    /// waits for the reply. No delegate method reports the 401 or 407 before.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - challenge: the challenge of the server or proxy.
    ///   - completionHandler: takes the disposition, and the credential for `useCredential`.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

    /// The task needs its body as a stream: at the start of a streamed upload, and each time it must send a
    /// body from a stream again.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - completionHandler: takes a stream at its first byte; with `nil` the task fails with
    ///     `requestBodyStreamExhausted`.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        needNewBodyStreamForTask task: URLSessionTask
    ) async -> (any HTTPBodyStream)?

    /// The task has sent bytes of the request's body; at most every 100 ms, and once for the last piece.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - bytesSent: the bytes since the last call.
    ///   - totalBytesSent: the bytes of this request so far.
    ///   - totalBytesExpectedToSend: the body's length; −1: unknown.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// The task's metrics are complete. Called once, just before the session reports the task's end, or
    /// calls its completion handler.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - metrics: the metrics, request by request; empty if it sent none.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )

    /// Heads have arrived; called only with `transport.recordsHeads`. They include heads that no other
    /// method reports, such as those of a challenge, an interim response, or a proxy's response to CONNECT.
    ///
    /// An addition to Foundation. Called before any other method for the response, and once more at a
    /// hop's end if trailer fields arrived.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - bytes: one or more heads, byte for byte, with the empty line. HTTP/2 heads are in HTTP/1.1 form.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveHeads bytes: Data)

    /// A piece of libcurl's trace of the task, if `transport.tracesTransfers` asks for it.
    ///
    /// An addition to Foundation, called as it happens, any number of times.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didTrace trace: URLSessionTaskTrace
    )

    /// The task has ended. Called once, after all other calls about the task.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - error: a `URLError`; `nil` where a complete response arrived, whatever its status.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    /// The task sends a request over TLS although its URL does not say so. The host has demanded TLS (HSTS),
    /// in this session or an earlier one. Not in Foundation.
    ///
    /// Called before each such hop; ``URLSessionTask/currentRequest`` already has the new URL.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - url: the URL that the task loads.
    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL)

    /// The task has compared a body with its expected digest, or could not use a digest field. Not in
    /// Foundation.
    ///
    /// Called once for each digest, when the body is complete.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - finding: the result.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    )
}

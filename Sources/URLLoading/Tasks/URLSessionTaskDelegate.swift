public import FoundationEssentials

/// Reports and questions about tasks of every kind.
///
/// A task's own delegate is called first; the session's delegate gets the methods that it does not
/// implement.
///
/// A question has two forms, as with Foundation: with a completion handler, or asynchronous. Where a
/// delegate has both, the one with the completion handler is called.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// A task was made. This is its first call, and the only one that is not made on the delegate queue.
    /// The thread that makes the task calls it before the task is returned. So the delegate can configure
    /// the task.
    ///
    /// Only the session's delegate is called: a task has none of its own yet. Not called for a task
    /// that an invalid session has refused, nor for those that a background session had before.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task, suspended.
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

    /// The ``URLSessionTask/earliestBeginDate`` of a task has come, and the task is about to begin.
    /// Once for each such task; the task waits for the reply.
    ///
    /// Not asked of a background session's delegate: see ``URLSessionTask/earliestBeginDate``.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - request: what it is going to load.
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

    /// The server redirects. For each redirect; the task waits for the reply.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - response: the redirect.
    ///   - request: the request that follows, by the rules of RFC 9110, without the fields that belong
    ///     to another
    ///     origin.
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

    /// An interim response (1xx) has come, such as 103 Early Hints: any number of times, before the final
    /// one. Not 101, which is no response to a request of this library's.
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

    /// There is no network for the task, and it waits for one, as
    /// ``URLSessionConfiguration/waitsForConnectivity`` asks. At most once for each task, which
    /// continues by itself.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// A server or a proxy asks for credentials: Basic or Digest; and NTLM, Negotiate, a client
    /// certificate and server trust, where the session's delegate does not implement its method.
    /// The task waits for the reply, and no delegate sees the 401 or 407 before.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - challenge: what is asked for, by which server or proxy.
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

    /// The task needs its body as a stream: at the start of a streamed upload, and each time a
    /// body from a stream has to be sent again.
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

    /// Bytes of the request's body were sent; at most every 100 ms, and once for the last piece.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - bytesSent: those since the last call.
    ///   - totalBytesSent: all of this request's.
    ///   - totalBytesExpectedToSend: the body's length; −1 where it is not known.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// The task's metrics are complete. Once, just before its end is reported, or its completion
    /// handler called.
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

    /// Heads have come, where `transport.recordsHeads` says that they are kept: of responses that
    /// no other method reports too, such as a challenge's, an interim one's, or a proxy's to
    /// CONNECT.
    ///
    /// An addition to Foundation, called before anything else that a response gives rise to, and
    /// once more at a hop's end where trailers came.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - bytes: one head or several, byte for byte, the empty line included. Over HTTP/2 they are
    ///     what they would be over HTTP/1.1.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveHeads bytes: Data)

    /// A piece of libcurl's trace of the task, if `transport.tracesTransfers` asks for it.
    ///
    /// An addition to Foundation, called as it happens, any number of times.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didTrace trace: URLSessionTaskTrace
    )

    /// The task is over. Once, and last of all its calls.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - error: a `URLError`, or `nil` where a response came whole, whatever its status.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )

    /// A request is sent over TLS, though its URL says otherwise: its host has asked for that, in
    /// this session or an earlier one. Not in Foundation.
    ///
    /// Before each hop that is concerned; ``URLSessionTask/currentRequest`` has the URL already.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - url: what is loaded.
    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL)

    /// A body was compared with its expected digest, or a digest field could not be used. Not in Foundation.
    ///
    /// For each digest once, when the body is whole.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - task: the task.
    ///   - finding: what came of it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    )
}

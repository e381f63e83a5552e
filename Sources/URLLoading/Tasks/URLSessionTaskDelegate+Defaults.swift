public import FoundationEssentials
import Synchronization

// Defaults of a delegate's questions. Each question has two forms. The default of the form with a completion
// handler calls the asynchronous form, at once, on the delegate queue. The default of the asynchronous form
// calls the session's delegate. So neither form calls itself, and a delegate may implement either.
extension URLSessionTaskDelegate {
    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        Task.immediate {
            completionHandler(
                await urlSession(
                    session,
                    task: task,
                    willPerformHTTPRedirection: response,
                    newRequest: request
                )
            )
        }
    }

    /// The session's delegate decides; without one the task follows the redirect.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        guard let next = session.taskDelegate(behind: self) else { return request }
        return await DelegateReply.first(or: request) { reply in
            next.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request
            ) { reply.give($0) }
        }
    }

    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        Task.immediate {
            let reply = await urlSession(session, task: task, didReceive: challenge)
            completionHandler(reply.0, reply.1)
        }
    }

    /// The session's delegate decides; without one the default handling applies.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let next = session.taskDelegate(behind: self) else {
            return (.performDefaultHandling, nil)
        }
        return await DelegateReply.first(or: (.performDefaultHandling, nil)) { reply in
            next.urlSession(session, task: task, didReceive: challenge) { reply.give(($0, $1)) }
        }
    }

    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        Task.immediate {
            completionHandler(await urlSession(session, needNewBodyStreamForTask: task))
        }
    }

    /// The session's delegate decides; without one the task gets no stream.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        needNewBodyStreamForTask task: URLSessionTask
    ) async -> (any HTTPBodyStream)? {
        guard let next = session.taskDelegate(behind: self) else { return nil }
        return await DelegateReply.first(or: nil) { reply in
            next.urlSession(session, task: task) { reply.give($0) }
        }
    }

    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        Task.immediate {
            let reply = await urlSession(session, task: task, willBeginDelayedRequest: request)
            completionHandler(reply.0, reply.1)
        }
    }

    /// The session's delegate decides; without one the task loads the request unchanged.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest
    ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
        guard let next = session.taskDelegate(behind: self) else { return (.continueLoading, nil) }
        return await DelegateReply.first(or: (.continueLoading, nil)) { reply in
            next.urlSession(session, task: task, willBeginDelayedRequest: request) {
                reply.give(($0, $1))
            }
        }
    }
}

// Defaults of a delegate's notifications.
extension URLSessionTaskDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        session.taskDelegate(behind: self)?.urlSession(
            session,
            task: task,
            didReceiveInformationalResponse: response
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        session.taskDelegate(behind: self)?.urlSession(
            session,
            task: task,
            didSendBodyData: bytesSent,
            totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    ) {
        session.taskDelegate(behind: self)?.urlSession(session, task: task, didCheckDigest: finding)
    }

    /// Calls the session's delegate.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL) {
        session.taskDelegate(behind: self)?.urlSession(session, task: task, didUpgradeTo: url)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        session.taskDelegate(behind: self)?.urlSession(
            session,
            task: task,
            didFinishCollecting: metrics
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveHeads bytes: Data
    ) {
        session.taskDelegate(behind: self)?.urlSession(session, task: task, didReceiveHeads: bytes)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didTrace trace: URLSessionTaskTrace
    ) { session.taskDelegate(behind: self)?.urlSession(session, task: task, didTrace: trace) }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        session.taskDelegate(behind: self)?.urlSession(
            session,
            task: task,
            didCompleteWithError: error
        )
    }
}

/// The reply of a delegate to a question with a completion handler.
///
/// The first call of the handler counts. If the delegate releases the handler without a call, the default
/// applies.
final class DelegateReply<Value: Sendable>: Sendable {
    private let receive: Mutex<(@Sendable (Value) -> Void)?>
    private let standard: Value
    private let lane: DelegateLane?

    /// Makes a reply that calls `receive` once.
    ///
    /// The lane gets the default, because the thread that releases the handler may hold the task's lock;
    /// `nil`: that thread.
    init(
        or standard: Value,
        releasedOn lane: DelegateLane? = nil,
        _ receive: @escaping @Sendable (Value) -> Void
    ) {
        self.receive = Mutex(receive)
        self.standard = standard
        self.lane = lane
    }

    deinit {
        guard let lane, let receive = takeReceive() else { return give(standard) }
        lane.async { [standard] in receive(standard) }
    }

    /// Passes on the reply, once.
    func give(_ value: Value) { takeReceive()?(value) }

    private func takeReceive() -> (@Sendable (Value) -> Void)? { receive.withLock { $0.take() } }

    /// Asks the delegate, and waits for its reply.
    nonisolated(nonsending) static func first(
        or standard: Value,
        _ ask: (DelegateReply<Value>) -> Void
    ) async -> Value {
        await withUnsafeContinuation { continuation in
            ask(DelegateReply(or: standard) { continuation.resume(returning: $0) })
        }
    }
}

public import FoundationEssentials

/// Reports and questions about data and upload tasks.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// The head of the final response has arrived. Once, before any of its body; the task waits for
    /// the reply.
    ///
    /// A response of `multipart/x-mixed-replace` has one more call for each of its parts, with the
    /// part's own fields, before the part's bytes; `cancel` ends the task there.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task.
    ///   - response: the response.
    ///   - completionHandler: takes what to do with the body.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition

    /// The task has become a download, because the delegate returned `becomeDownload` from
    /// `didReceive response`. Once, before anything of the download, and the last call for
    /// the data task: there is no `didCompleteWithError` for it.
    ///
    /// The download takes over the data task's requests, delegate, priority, description, counts and
    /// state. It has a new identifier. Its file contains the body's bytes so far.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task, which has completed.
    ///   - downloadTask: the download. To cancel, call its `cancel()` from now on.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// The next piece of the body, in order. While the delegate runs and pieces wait for it, the task reads
    /// at most 1 MiB and one piece from the network.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task.
    ///   - data: the piece, never empty.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// A response is complete, and the session may store it in its cache.
    ///
    /// Called at most once, after the last piece of the body; the task's end waits for the reply.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task.
    ///   - proposedResponse: the response to store. Its `data` may be on disk, where an access reads it.
    ///   - completionHandler: takes the response to store, which may be another one; `nil` to store
    ///     none.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    )

    /// As the method with a completion handler, for a delegate that replies asynchronously.
    nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse?
}

extension URLSessionDataDelegate {
    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        Task.immediate {
            completionHandler(await urlSession(session, dataTask: dataTask, didReceive: response))
        }
    }

    /// The session's delegate decides; without one the task accepts the body.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        guard let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate else {
            return .allow
        }
        return await DelegateReply.first(or: .allow) { reply in
            next.urlSession(session, dataTask: dataTask, didReceive: response) { reply.give($0) }
        }
    }

    /// Calls the asynchronous method.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        Task.immediate {
            completionHandler(
                await urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse)
            )
        }
    }

    /// The session's delegate decides; without one the session stores the response.
    public nonisolated(nonsending) func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse? {
        guard let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate else {
            return proposedResponse
        }
        return await DelegateReply.first(or: proposedResponse) { reply in
            next.urlSession(session, dataTask: dataTask, willCacheResponse: proposedResponse) {
                reply.give($0)
            }
        }
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate
        next?.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate
        next?.urlSession(session, dataTask: dataTask, didReceive: data)
    }
}

public import FoundationEssentials

/// What is told, and asked, about data and upload tasks.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// The head of the final response has come. Once, before any of its body; the task waits for
    /// the response.
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
    /// `didReceive response`. Once, before anything of the download, and the last that is said of
    /// the data task: there is no `didCompleteWithError` for it.
    ///
    /// The download has the data task's requests, delegate, priority, description, counts and state,
    /// and an identifier of its own. What has come of the body meanwhile is in its file.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task, which has completed.
    ///   - downloadTask: what it has become: cancel this one from now on.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    )

    /// The next piece of the body, in order. While this runs, and pieces wait for it, at most
    /// 1 MiB and a piece more is read from the network.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task.
    ///   - data: the piece, never empty.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// A response has come whole, and may be kept in the session's cache. Once at most, after the
    /// last of the body; the task's end waits for the reply.
    ///
    /// - Parameters:
    ///   - session: the task's session.
    ///   - dataTask: the task.
    ///   - proposedResponse: what will be kept; its `data` may lie on disk, and is read as it is
    ///     looked at.
    ///   - completionHandler: takes the same, another in its place, or `nil` where nothing is kept.
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
    /// The asynchronous method is called.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        Task.immediate {
            completionHandler(
                await urlSession(session, dataTask: dataTask, didReceive: response)
            )
        }
    }

    /// The session's delegate decides; without one the body is allowed.
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

    /// The asynchronous method is called.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        Task.immediate {
            completionHandler(
                await urlSession(
                    session,
                    dataTask: dataTask,
                    willCacheResponse: proposedResponse
                )
            )
        }
    }

    /// The session's delegate decides; without one the response is kept.
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

    /// The session's delegate is told.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate
        next?.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
    }

    /// The session's delegate is told.
    public func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        let next = session.taskDelegate(behind: self) as? any URLSessionDataDelegate
        next?.urlSession(session, dataTask: dataTask, didReceive: data)
    }
}

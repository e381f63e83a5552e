// Foundation's names for the same, by a task in place of its request.
extension URLCache {
    /// The stored answer to a task's request.
    ///
    /// - Parameters:
    ///   - dataTask: the task.
    ///   - completionHandler: takes the answer, before this returns; `nil`: there is none.
    public func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap(cachedResponse(for:)))
    }

    /// Keeps an answer to a task's request.
    public func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for dataTask: URLSessionDataTask
    ) {
        guard let request = dataTask.currentRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Forgets what is stored for a task's request.
    public func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.currentRequest else { return }
        removeCachedResponse(for: request)
    }
}

public import FoundationEssentials

// Calls that retry. Each attempt is a separate task, with its delegate calls and the session's
// time-outs. The call waits between two attempts, and returns the result of the last.
extension URLSession {
    /// Loads a request's whole body into memory, and tries again after a temporary error.
    ///
    /// Not in Foundation.
    ///
    /// - Parameters:
    ///   - request: the request to load; with a body stream there is one attempt.
    ///   - policy: when to try again.
    ///   - delegate: the delegate of each task.
    /// - Returns: the body and the response of the last attempt, whatever its status.
    /// - Throws: the `URLError` of the last attempt; `cancelled` if the program cancelled the Swift task
    ///   during a wait.
    public func data(
        for request: URLRequest,
        retrying policy: RetryPolicy,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await trying(request, policy) { _ in
            try await data(for: request, delegate: delegate)
        }
    }

    /// Sends bytes from memory, and tries again as ``data(for:retrying:delegate:)``; `PUT` where the
    /// request has no method.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        retrying policy: RetryPolicy,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await trying(request, policy, method: "PUT") { _ in
            try await upload(for: request, from: bodyData, delegate: delegate)
        }
    }

    /// Sends a file, and tries again as ``data(for:retrying:delegate:)``; `PUT` where the request has
    /// no method.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        retrying policy: RetryPolicy,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await trying(request, policy, method: "PUT") { _ in
            try await upload(for: request, fromFile: fileURL, delegate: delegate)
        }
    }

    /// Downloads to a temporary file, which the caller moves or removes, and tries again as
    /// ``data(for:retrying:delegate:)``.
    ///
    /// An attempt continues after the last byte of the one before, if possible. An attempt with new
    /// bytes does not count.
    public func download(
        for request: URLRequest,
        retrying policy: RetryPolicy,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await trying(
            request,
            policy,
            discard: { location in try? FileManager.default.removeItem(at: location) },
            { resumeData in
                guard let resumeData else {
                    return try await download(for: request, delegate: delegate)
                }
                return try await download(for: request, resumeFrom: resumeData, delegate: delegate)
            }
        )
    }

    /// Repeats attempts, each with the resume data of the one before, until a result is final; `discard`
    /// receives the others.
    private func trying<Value: Sendable>(
        _ request: URLRequest,
        _ policy: RetryPolicy,
        method: String = "GET",
        discard: (Value) -> Void = { _ in },
        _ attempt: (Data?) async throws -> (Value, URLResponse)
    ) async throws -> (Value, URLResponse) {
        var counter = AttemptCounter(policy)
        var resumeData: Data?
        while true {
            let outcome: Result<(Value, URLResponse), URLError>
            var failure: RetryFailure
            do {
                let (value, response) = try await attempt(resumeData)
                guard let response = response as? HTTPURLResponse, response.statusCode >= 400,
                    // So a server confirms that the continued file was complete already.
                    response.statusCode != 416 || resumeData == nil
                else { return (value, response) }
                outcome = .success((value, response))
                let now = Date.now.timeIntervalSince1970
                let asked = RetryAfter.wait(response.headerFields, now: now)
                failure = RetryFailure(event: .status(response.statusCode, retryAfter: asked))
            } catch let error as URLError {
                outcome = .failure(error)
                resumeData = error.downloadTaskResumeData
                failure = RetryFailure(event: .error(error))
            }
            failure.method = request.ownMethod ?? method
            if request.httpBodyStream != nil {
                failure.blocker = "a body stream can be read only once"
            }
            let reached = resumeData.flatMap { try? ResumeData($0) }?.receivedBytes ?? 0
            let decision = counter.decision(on: failure, reached: reached, timeLeft: nil)
            guard case .retry(let wait, _) = decision else {
                // The result does not use the partial file of an earlier attempt.
                if case .success = outcome { discardPart(resumeData) }
                return try outcome.get()
            }
            if case .success(let (value, _)) = outcome { discard(value) }
            do {
                try await Task.sleep(for: wait.duration)
            } catch {
                var error = URLError(.cancelled, failingURL: request.url)
                error.downloadTaskResumeData = resumeData
                throw error
            }
        }
    }

    private func discardPart(_ resumeData: Data?) {
        guard let resumeData, let data = try? ResumeData(resumeData) else { return }
        let folder = settings.temporaryFolder
        ResumePoint(data, temporaryFolder: folder)?.discardTemporary(in: folder)
    }
}

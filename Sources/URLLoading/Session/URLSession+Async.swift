public import FoundationEssentials
import Synchronization

// Tasks as `async` calls, cancelled with the Swift task that awaits them.
extension URLSession {
    /// Loads a request's whole body into memory.
    ///
    /// - Parameters:
    ///   - request: the request to load.
    ///   - delegate: the task's own delegate.
    /// - Returns: the body and the response, whatever its status.
    /// - Throws: `URLError`.
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await result(delegate) { resume in
            dataTask(request, .data(resume))
        }
    }

    /// Loads a URL's whole body into memory.
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Sends bytes from memory.
    ///
    /// - Returns: the response and its body.
    ///
    /// Throws `URLError`.
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await result(delegate) { resume in
            uploadTask(request, .data(bodyData), .data(resume))
        }
    }

    /// Sends a file, and reads it during the transfer.
    ///
    /// - Returns: the response and its body.
    ///
    /// Throws `URLError`.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await result(delegate) { resume in
            uploadTask(request, .file(fileURL), .data(resume))
        }
    }

    /// Downloads to a temporary file, which the caller moves or removes.
    ///
    /// - Returns: the file and the response, whatever its status.
    ///
    /// Throws `URLError`.
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await result(delegate) { resume in
            downloadTask(request, .download(Self.keeping(resume)))
        }
    }

    /// Downloads to a temporary file, which the caller moves or removes.
    public func download(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Continues an earlier download, to a temporary file that the caller moves or removes.
    ///
    /// - Parameters:
    ///   - resumeData: see ``downloadTask(withResumeData:)``.
    ///   - delegate: the task's own delegate.
    /// - Returns: the complete file and the response.
    /// - Throws: `URLError`.
    public func download(
        resumeFrom resumeData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await result(delegate) { resume in
            downloadTask(withResumeData: resumeData, completionHandler: Self.keeping(resume))
        }
    }

    /// Continues a download with a request of the caller, as ``downloadTask(with:resumeData:)``.
    func download(
        for request: URLRequest,
        resumeFrom resumeData: Data,
        delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (URL, URLResponse) {
        try await result(delegate) { resume in
            downloadTask(request, resumeData, .download(Self.keeping(resume)))
        }
    }

    /// Loads a request's body byte by byte, as fast as the caller reads it.
    ///
    /// - Returns: the bytes and the response. The release of the bytes cancels the task.
    ///
    /// Throws `URLError` without a response; the bytes throw later errors.
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let channel = ByteChannel()
        let task = dataTask(request, .bytes(channel))
        task.delegate = delegate
        let bytes = AsyncBytes(channel, task)
        task.resume()
        let response = try await withTaskCancellationHandler {
            try await channel.response()
        } onCancel: {
            task.cancel()
        }
        return (bytes, response)
    }

    /// Loads a URL's body byte by byte, as fast as the caller reads it.
    public func bytes(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }
}

extension URLSession {
    /// Runs a task to its end, and returns its result.
    private func result<Value: Sendable>(
        _ delegate: (any URLSessionTaskDelegate)?,
        _ make: (
            _ resume: @escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void
        ) -> URLSessionTask
    ) async throws -> (Value, URLResponse) {
        let running = Mutex<URLSessionTask?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = make { value, response, error in
                    if let value, let response {
                        continuation.resume(returning: (value, response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(.unknown))
                    }
                }
                task.delegate = delegate
                running.withLock { $0 = task }
                if Task.isCancelled { task.cancel() }
                task.resume()
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }
    }

    /// Wraps a completion handler, to keep the file of a download.
    private static func keeping(
        _ resume: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> @Sendable (URL?, URLResponse?, (any Error)?) -> Void {
        { location, response, error in
            do {
                resume(try location.map(keep), response, error)
            } catch {
                resume(nil, response, URLError(.cannotMoveFile, detail: "\(error)"))
            }
        }
    }

    /// Renames a temporary file, so that it outlives its task.
    private static func keep(_ location: URL) throws -> URL {
        let kept = location.deletingPathExtension().appendingPathExtension("download")
        try FileManager.default.moveItem(at: location, to: kept)
        return kept
    }
}

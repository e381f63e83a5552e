import FoundationEssentials
import URLLoading

extension TaskPlan {
    /// Makes the session task for a plan, suspended; throws errors of opening the body.
    ///
    /// It may continue a delivered body, or be conditional on a changed file.
    func makeTask(
        in session: URLSession,
        _ bodies: NonReplayableBodies,
        _ resumeData: ResumeData?,
        after delivered: DeliveredBody? = nil,
        isConditional: Bool
    ) throws(URLError) -> URLSessionTask {
        var request = request
        delivered?.ask(&request)
        if let file = kind.file {
            if resumeData == nil, isConditional { condition(for: file)?.add(to: &request) }
            // A response that is saved as a file needs a download task, also after an upload.
            if case .data(let bytes) = body {
                request.httpBody = Data(bytes)
            } else if body.isSent {
                request.httpBodyStream = try body.open(bodies)
            }
            guard let resumeData else { return session.downloadTask(with: request) }
            return session.downloadTask(with: request, continuing: resumeData)
        }
        // A download can be continued only by a download task.
        if let resumeData { return session.downloadTask(with: request, continuing: resumeData) }
        switch body {
        case .none: return session.dataTask(with: request)
        case .data(let bytes): return session.uploadTask(with: request, from: Data(bytes))
        case .file(let path, .some):
            return session.uploadTask(with: request, fromFile: URL(filePath: AbsolutePath.of(path)))
        case .file, .rest, .standardInput, .form:
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    /// Makes a task that repeats another task's failed request, which may be a redirected one.
    func makeTask(
        in session: URLSession,
        repeating failed: URLSessionTask,
        _ resumeData: ResumeData?,
        after delivered: DeliveredBody?
    ) -> URLSessionTask {
        if kind.isFile || resumeData != nil {
            return session.downloadTask(repeating: failed, continuing: resumeData)
        }
        if failed.sendsBody { return session.uploadTask(repeating: failed) }
        return session.dataTask(repeating: failed) { delivered?.ask(&$0) }
    }
}

// Conditional requests.
extension TaskPlan {
    /// The condition; `nil` if the file is fetched unconditionally.
    func condition(for file: FileDestination) -> FileCondition? {
        guard file.isTimestamped, let url else { return nil }
        return FileCondition(of: file.path, url: url)
    }

    /// The validator to store with a file.
    func validator(of response: HTTPURLResponse?) -> StoredValidator? {
        // The validator of a partial or error response is not that of the file.
        guard let url, let response, response.statusCode == 200 else { return nil }
        return StoredValidator(url, response.headerFields)
    }

    /// The URL in resume data's form.
    var url: String? { ResumeData.address(of: request) }
}

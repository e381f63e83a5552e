import FoundationEssentials
import URLLoading

extension TaskPlan {
    /// Makes the session's task of a plan.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - bodies: the bodies that can be read once.
    ///   - resumeData: the existing part.
    ///   - delivered: the delivered bytes, to be continued.
    ///   - isConditional: whether the request is conditional on a changed file.
    /// - Returns: the task, suspended.
    /// - Throws: errors of opening the body.
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
            // A response to a file is a download, also after an upload.
            if case .data(let bytes) = body {
                request.httpBody = Data(bytes)
            } else if body.isSent {
                request.httpBodyStream = try body.open(bodies)
            }
            guard let resumeData else { return session.downloadTask(with: request) }
            return session.downloadTask(with: request, continuing: resumeData)
        }
        // A download is continued as one.
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

    /// Makes a task that sends the failed request of another one again, perhaps a redirect's.
    func makeTask(
        in session: URLSession,
        repeating failed: URLSessionTask,
        _ resumeData: ResumeData?,
        after delivered: DeliveredBody?
    ) -> URLSessionTask {
        if kind.file != nil || resumeData != nil {
            return session.downloadTask(repeating: failed, continuing: resumeData)
        }
        if failed.sendsBody { return session.uploadTask(repeating: failed) }
        return session.dataTask(repeating: failed) { delivered?.ask(&$0) }
    }
}

// Conditional requests.
extension TaskPlan {
    /// The condition; `nil` if the file is fetched in any case.
    func condition(for file: FileDestination) -> FileCondition? {
        guard file.isTimestamped, let url else { return nil }
        return FileCondition(of: file.path, url: url)
    }

    /// The validator to store with a file.
    func validator(
        of response: HTTPURLResponse?,
        for file: FileDestination
    ) -> StoredValidator? {
        // The validator of a part or of an error's page is not the file's.
        guard file.isTimestamped, let url, let response, response.statusCode == 200 else {
            return nil
        }
        return StoredValidator(url, response.headerFields)
    }

    /// The URL as resume data has it.
    var url: String? { ResumeData.address(of: request) }
}

extension FileCondition {
    /// Adds the condition to a request.
    func add(to request: inout URLRequest) {
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    }
}

import FoundationEssentials
import URLLoading

extension TaskPlan {
    /// The session's task that a plan asks for.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - bodies: the bodies that can be read once.
    ///   - resumeData: what there is of the file.
    ///   - delivered: what went out of the body, to be gone on with.
    ///   - isConditional: whether the file is asked for only if it is another.
    /// - Returns: the task, suspended.
    /// - Throws: `badURL`, which the plan has made impossible, and what opening the body does.
    func makeTask(
        in session: URLSession,
        _ bodies: NonReplayableBodies,
        _ resumeData: ResumeData?,
        after delivered: DeliveredBody? = nil,
        isConditional: Bool
    ) throws(URLError) -> URLSessionTask {
        guard var request = URLRequest(self) else { throw URLError(.badURL) }
        delivered?.ask(&request)
        if let file = kind.file {
            if resumeData == nil, isConditional { condition(for: file)?.add(to: &request) }
            // A response to a file is a download, also where a body goes out first.
            if case .data(let bytes) = body {
                request.httpBody = Data(bytes)
            } else if body.isSent {
                request.httpBodyStream = try body.open(bodies)
            }
            guard let resumeData else { return session.downloadTask(with: request) }
            return session.downloadTask(with: request, continuing: resumeData)
        }
        // What has become a download goes on as one.
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

    /// A task that sends again the request with which another one of the plan has failed, a
    /// redirect's perhaps.
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

// Whether the server has another file than the one that is here.
extension TaskPlan {
    /// What to ask by; `nil` where a file is fetched in any case.
    func condition(for file: FileDestination) -> FileCondition? {
        guard file.isTimestamped, let url else { return nil }
        return FileCondition(of: file.path, url: url)
    }

    /// What is kept with a file for the next time.
    func validator(
        of response: HTTPURLResponse?,
        for file: FileDestination
    ) -> StoredValidator? {
        // What a part or an error's page is known by says nothing of the file.
        guard file.isTimestamped, let url, let response, response.statusCode == 200 else {
            return nil
        }
        return StoredValidator(url, response.headerFields)
    }

    /// The URL as resume data has it.
    private var url: String? {
        URLRequest(self).flatMap { ResumeData.address(of: $0) }
    }
}

extension FileCondition {
    /// Has a request ask by it.
    func add(to request: inout URLRequest) {
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    }
}

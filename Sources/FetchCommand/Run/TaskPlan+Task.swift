import FoundationEssentials
import URLLoading

extension TaskPlan {
    /// Whether the task may be tried again as it is: a download to a file by a plain GET, or what
    /// may become one.
    var isRepeatable: Bool {
        kind.possibleFile != nil && method == .get && !body.isSent
    }

    /// The session's task that a plan asks for.
    ///
    /// Throws `badURL`, which the plan has made impossible, and what opening the body does.
    func makeTask(
        in session: URLSession,
        _ bodies: OneWayBodies,
        _ resumeData: ResumeData?,
        isConditional: Bool
    ) throws(URLError) -> URLSessionTask {
        guard var request = URLRequest(self) else { throw URLError(.badURL) }
        if let file = kind.file {
            if resumeData == nil, isConditional { condition(for: file)?.add(to: &request) }
            // An answer to a file is a download, also where a body goes out first.
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
            return session.uploadTask(with: request, fromFile: URL(filePath: path))
        case .file, .standardInput, .form:
            return session.uploadTask(withStreamedRequest: request)
        }
    }
}

import FoundationEssentials
import Glibc
import URLLoading

extension TaskPlan {
    /// Makes the session task, suspended; throws errors of opening the body.
    func makeTask(
        _ start: FetchLifecycle.Start,
        in session: URLSession,
        _ bodies: NonReplayableBodies
    ) throws(URLError) -> URLSessionTask {
        var request = request
        let resumeData = start.resumeData
        start.delivered?.ask(&request)
        if let file = kind.file {
            if resumeData == nil, start.isConditional { condition(for: file)?.add(to: &request) }
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
        _ start: FetchLifecycle.Start,
        in session: URLSession,
        repeating failed: URLSessionTask
    ) -> URLSessionTask {
        if kind.isFile || start.resumeData != nil {
            return session.downloadTask(repeating: failed, continuing: start.resumeData)
        }
        if failed.sendsBody { return session.uploadTask(repeating: failed) }
        return session.dataTask(repeating: failed) { start.delivered?.ask(&$0) }
    }
}

// Conditional requests.
extension TaskPlan {
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

/// The states of a body's files when first sent; to be sent again, they must be unchanged.
struct SentFiles: Equatable, Sendable {
    /// By path; `nil` for a file that is not regular, whose bytes are buffered.
    private let states: [String: FileIdentity?]

    init(of body: BodyPlan) {
        var states: [String: FileIdentity?] = [:]
        for path in body.filePaths { states.updateValue(Self.state(path), forKey: path) }
        self.states = states
    }

    /// Throws `requestBodyStreamExhausted` if a file has changed.
    func check() throws(URLError) {
        for (path, state) in states where Self.state(path) != state {
            throw URLError(
                .requestBodyStreamExhausted,
                detail: "\(path) has changed since it was first sent"
            )
        }
    }

    private static func state(_ path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status)?.identity : nil
    }
}

extension BodyPlan {
    /// The files that are read while the body is sent.
    fileprivate var filePaths: [String] {
        switch self {
        case .none, .data: []
        case .standardInput: ["/dev/stdin"]
        case .file(let path, _), .rest(let path, _, _): [path]
        case .form(let form): form.parts.flatMap(\.content.filePaths)
        }
    }
}

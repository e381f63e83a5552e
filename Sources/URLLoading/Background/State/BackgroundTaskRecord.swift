import FoundationEssentials

/// What a task is to do, as it was made.
struct BackgroundTaskRecord: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
        case download
        case upload
    }

    /// No session has as many tasks: what numbers one higher is no program of ours.
    static let lastNumber = 1 << 40
    /// What a task can be numbered.
    static let numbers = 1...lastNumber

    /// The task's number in its session, from 1, given by the attached client; 0: the transfer
    /// process gives it.
    var identifier: Int
    var kind: Kind
    var request: StoredRequest
    /// What an upload sends.
    var body: UploadSource?
    /// Of a part that another download has left, where this one goes on: resume data with the absolute
    /// path of the file, which is taken over when it begins.
    var resumeData: Data?
    /// The file that a download is moved to; `nil`: it waits in the session's folder.
    var destination: String?
    /// Whether something of that name is replaced; else it gets a number.
    var replaces = false
    /// What becomes of the file beyond that; `nil`: nothing that an earlier version did not do.
    var filing: BackgroundFiling?
    /// The mode that the file has where it replaces none.
    var mode: UInt32?
    /// Whether an error status, 400 or above, is tried again where it may pass, and its body left.
    var takesSuccessOnly = false
    /// Whether it is carried out from the start; else it is held until a client resumes it.
    var startsResumed = false
    /// How it is carried out, where that is not as the session's others are.
    var configuration: String?
    /// A text of the program's own.
    var taskDescription: String?
    /// 0 to 1.
    var priority: Float = 0.5
    /// When it was made, microseconds since 1970.
    var made: Int64
    /// When it must have ended, microseconds since 1970; `nil`: never.
    var deadline: Int64?

    /// Whether a program that cancels it can have what has come as resume data: elsewhere it is beside
    /// a file of the user's.
    var leavesParts: Bool { keepsParts && destination == nil }

    /// Whether what has come of it is kept where it fails.
    var keepsParts: Bool { kind == .download }

    /// Whether a disk without room holds it, in the place of failing it: its program, a command, has
    /// ended.
    var waitsForDiskSpace: Bool { keepsParts && destination != nil }

    /// Whether another is the same task, said once more; what it sends may be a copy by now, and it may
    /// have been held.
    func isRepeated(by other: Self) -> Bool {
        var other = other
        other.deadline = deadline
        if body != nil, other.body != nil { other.body = body }
        return other == self
    }
}

/// What a command wants of the file that a download becomes.
package struct BackgroundFiling: Codable, Hashable, Sendable {
    /// A file that is there already.
    package struct Existing: Codable, Hashable, Sendable {
        /// Bytes.
        package var size: Int64
        /// Seconds since 1970.
        package var modified: Int64

        package init(size: Int64, modified: Int64) {
            self.size = size
            self.modified = modified
        }
    }

    /// What the body has to come to.
    package var digest: ExpectedDigest?
    /// Whether a file that has the name stays, and nothing is fetched then.
    package var keepsExisting: Bool?
    /// Whether the response may give it another name, in the same folder.
    package var isNamedByServer: Bool?
    /// Whether what the server has said of it is kept with it, for the next time that it is asked for.
    package var keepsValidator: Bool?
    /// What is there, of which nothing else is known: a response of its length that is no newer is left.
    package var existing: Existing?

    package init() {}

    /// Whether a response is of the file that is there already.
    func isUnchanged(by response: HTTPURLResponse) -> Bool {
        if response.statusCode == 304 { return true }
        guard let existing, response.statusCode == 200,
            response.expectedContentLength == existing.size,
            let modified = StoredResponse(response).lastModified
        else { return false }
        return modified <= existing.modified
    }
}

/// A task of a background session as a client requests it, before it has a number.
package struct BackgroundTaskDraft: Sendable {
    /// What it is to ask for.
    package var request: URLRequest
    /// The file that it sends; `nil`: it is a download.
    package var file: String?
    /// Where it goes on, with the absolute path of the part; `nil`: at the first byte.
    var resumeData: ResumeData?
    /// The absolute path of the file that the response's body is to become; `nil`: it is handed
    /// over in the session's folder.
    package var destination: String?
    /// Whether something of that name is replaced; else the new one gets a number.
    package var replaces = false
    /// What becomes of the file beyond that.
    package var filing = BackgroundFiling()
    /// Whether a response with an error status, 400 or above, fails the task.
    ///
    /// It is tried again where the error may be temporary, and the body is never taken for what was
    /// requested.
    package var takesSuccessOnly = false

    /// - Parameters:
    ///   - request: what it is to ask for.
    ///   - file: the file that it sends; `nil`: it is a download.
    package init(_ request: URLRequest, sending file: String? = nil) {
        self.request = request
        self.file = file
    }
}

extension BackgroundTaskDraft {
    /// Makes the record of the task, with the session's headers; the file to be sent is looked at.
    ///
    /// - Parameters:
    ///   - identifier: its number.
    ///   - settings: the session's.
    ///   - now: microseconds since 1970.
    /// - Returns: the record.
    /// - Throws: why the task cannot be made.
    func record(
        _ identifier: Int,
        _ settings: SessionSettings,
        at now: Int64
    ) throws(URLError) -> BackgroundTaskRecord {
        guard request.httpRequestTarget == nil else {
            throw BackgroundError.refused(
                "a background session asks for what a URL names, and for no other request target"
            ).urlError
        }
        guard var stored = StoredRequest(settings.completed(request)) else {
            throw URLError(.badURL, detail: "a request needs a URL")
        }
        if file != nil { stored.method = stored.method ?? "PUT" }
        let limit = Duration(timeout: settings.timeoutForResource)
        let record = BackgroundTaskRecord(
            identifier: identifier,
            kind: file == nil ? .download : .upload,
            request: stored,
            body: try file.map { path throws(URLError) in try UploadSource(original: path) },
            resumeData: resumeData?.encoded,
            destination: destination,
            replaces: replaces,
            filing: filing == BackgroundFiling() ? nil : filing,
            mode: destination.map { replaces ? NewFileMode.replacing($0) : NewFileMode.current },
            takesSuccessOnly: takesSuccessOnly,
            made: now,
            deadline: limit.map { now + Int64($0 / .microseconds(1)) }
        )
        guard record.size <= BackgroundTaskRecord.sizeLimit else {
            throw BackgroundError.refused(
                "a URL and fields of so many bytes are too long for a background session"
            ).urlError
        }
        return record
    }
}

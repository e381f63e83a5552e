import FoundationEssentials

/// The description of a task, from when it was made.
struct BackgroundTaskRecord: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
        case download
        case upload
    }

    /// The highest task number; no session reaches it.
    static let lastNumber = 1 << 40
    static let numbers = 1...lastNumber
    /// The largest task, bytes; it fits into a frame even if JSON escapes all of it.
    static let sizeLimit = 512 << 10

    /// The task's number in its session, from 1, set by the attached client; 0: the transfer process sets
    /// it.
    var identifier: Int
    var kind: Kind
    var request: StoredRequest
    var body: UploadSource?
    /// Resume data of the part that this download takes over, with the part's absolute path.
    var resumeData: Data?
    /// The destination of a download's file; `nil`: the file stays in the session's folder.
    var destination: String?
    /// Whether an existing file is replaced; otherwise the new file's name gets a number.
    var replaces = false
    /// Further options for the file; `nil`: as in earlier versions.
    var filing: BackgroundFiling?
    /// The mode of the file at its destination.
    var mode: UInt32?
    /// Whether the body of an error status, 400 or above, is not wanted.
    ///
    /// The request is retried if the error may be temporary. The body of an error never becomes the file.
    var takesSuccessOnly = false
    /// Whether the task may run at once; otherwise it is held until a client resumes it.
    var startsResumed = false
    /// The task's configuration as JSON; `nil`: the session's.
    var configuration: String?
    var taskDescription: String?
    /// 0 to 1.
    var priority: Float = 0.5
    /// The time when it was made, microseconds since 1970.
    var made: Int64
    /// The deadline of its end, microseconds since 1970; `nil`: none.
    var deadline: Int64?

    /// The approximate size in a frame, bytes.
    var size: Int {
        512 + request.url.utf8.count + request.fields.size + (configuration?.utf8.count ?? 0)
            + (resumeData?.count ?? 0) * 4 / 3
    }

    /// Whether a cancel can produce resume data: not if the part is beside the user's file.
    var leavesParts: Bool { keepsParts && destination == nil }

    /// Whether the part is kept if the task fails.
    var keepsParts: Bool { kind == .download }

    /// Whether a full disk holds the task instead of failing it, because its command has ended.
    var waitsForDiskSpace: Bool { keepsParts && destination != nil }

    /// Whether another record repeats this one, whose body may be a copy, and deadline later by now.
    func isRepeated(by other: Self) -> Bool {
        var other = other
        other.deadline = deadline
        if body != nil, other.body != nil { other.body = body }
        return other == self
    }
}

/// A command's options for the file of a download.
package struct BackgroundFiling: Codable, Hashable, Sendable {
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

    /// The expected digest of the body.
    package var digest: ExpectedDigest?
    /// Whether an existing file is kept, and nothing is fetched.
    package var keepsExisting: Bool?
    /// Whether the response may give the file another name, in the same folder.
    package var isNamedByServer: Bool?
    /// How many of the last folders come from the URL or a list, not from the user; `nil`: none.
    package var foldersOfURL: Int?
    /// Whether the server's validator is stored with the file, for later requests.
    package var keepsValidator: Bool?
    /// The existing file, if it has no validator: a response of the same length that is not newer is
    /// dropped.
    package var existing: Existing?

    package init() {}

    /// Whether a response says that the existing file is current.
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
///
/// ``BackgroundTaskRecord`` describes its members.
package struct BackgroundTaskDraft: Sendable {
    package var request: URLRequest
    /// The file to upload; `nil`: the task is a download.
    package var file: String?
    var resumeData: ResumeData?
    package var destination: String?
    package var replaces = false
    package var filing = BackgroundFiling()
    package var takesSuccessOnly = false

    /// Without a file to upload, the task is a download.
    package init(_ request: URLRequest, sending file: String? = nil) {
        self.request = request
        self.file = file
    }
}

extension BackgroundTaskDraft {
    /// Makes the task's record, with the session's header fields; reads the status of the file to upload.
    func record(
        _ identifier: Int,
        _ settings: SessionSettings,
        at now: Int64,
        mode newMode: UInt32 = NewFileMode.current
    ) throws(URLError) -> BackgroundTaskRecord {
        guard file != nil || request.httpBody == nil && request.httpBodyStream == nil else {
            let words = "a background session sends bodies from files only"
            throw URLError(.resourceUnavailable, detail: words, failingURL: request.url)
        }
        guard let scheme = request.url?.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else {
            let words = "a background session loads by HTTP and HTTPS only"
            throw URLError(.unsupportedURL, detail: words, failingURL: request.url)
        }
        guard request.httpRequestTarget == nil else {
            let words = "a background session does not support a request target apart from the URL"
            throw BackgroundError.refused(words).urlError
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
            mode: destination.map { replaces ? NewFileMode.replacing($0) : newMode },
            takesSuccessOnly: takesSuccessOnly,
            made: now,
            deadline: limit.map { now + Int64($0 / .microseconds(1)) }
        )
        guard record.size <= BackgroundTaskRecord.sizeLimit else {
            let words = "the URL and header fields are too long for a background session"
            throw BackgroundError.refused(words).urlError
        }
        return record
    }
}

import FoundationEssentials

/// A task of a background session as somebody wants it, before it has a number.
package struct BackgroundTaskDraft: Sendable {
    /// What it is to ask for.
    package var request: URLRequest
    /// The file that it sends; `nil`: it is a download.
    package var file: String?
    /// Where it goes on, with the absolute path of the part; `nil`: at the first byte.
    var resumeData: ResumeData?
    /// The absolute path of the file that the answer's body is to become; `nil`: it is handed over in
    /// the session's folder.
    package var destination: String?
    /// Whether something of that name is replaced; else the new one gets a number.
    package var replaces = false
    /// Whether an answer with an error status, 400 or above, is a failure of the task: it is tried
    /// again where that may pass, and its body is never taken for what was asked for.
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

public import FoundationEssentials

// Downloads that continue an earlier one, perhaps of another run of the program.
extension URLSession {
    /// Creates a download task that continues the download of the resume data.
    ///
    /// The request asks for the rest if the server's file is unchanged. If that file or the bytes on
    /// the disk have changed, the task loads the whole file again, and the delegate receives the reason
    /// (`didStartOver`). Old and new bytes are never mixed.
    ///
    /// Resume data has no credentials: the session supplies them.
    ///
    /// - Parameter resumeData: from ``URLSessionDownloadTask/cancel(byProducingResumeData:)`` or
    ///   ``URLError/downloadTaskResumeData``.
    /// - Returns: the task; with invalid data, or data of another version, the task fails with
    ///   `cannotDecodeRawData`.
    public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        downloadTask(nil, resumeData, .delegates)
    }

    /// Creates a download task that continues the download of the resume data, and passes the file to a
    /// handler.
    public func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(nil, resumeData, .download(completionHandler))
    }

    /// Creates a download task that continues an earlier one, with a request of the caller.
    ///
    /// The request may have credentials. With resume data of another URL the task starts over. Not in
    /// Foundation.
    public func downloadTask(
        with request: URLRequest,
        resumeData: Data
    ) -> URLSessionDownloadTask {
        downloadTask(request, resumeData, .delegates)
    }

    /// Creates an upload task that continues an earlier one, which this library does not support.
    ///
    /// The library does not implement the draft for resumable uploads. No upload produces resume data,
    /// as in Foundation where the server has no resumable uploads: see
    /// ``URLSessionUploadTask/cancel(byProducingResumeData:)``. A program sends the whole body again.
    ///
    /// - Parameter resumeData: ignored.
    /// - Returns: a task that fails with `cannotDecodeRawData` on `resume()`.
    public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        uploadTask(withResumeData: resumeData, .delegates)
    }

    /// Creates an upload task that continues an earlier one, as ``uploadTask(withResumeData:)``, and
    /// passes the error to a handler.
    public func uploadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(withResumeData: resumeData, .data(completionHandler))
    }

    private func uploadTask(
        withResumeData resumeData: Data,
        _ output: TaskOutput
    ) -> URLSessionUploadTask {
        let error = URLError(.cannotDecodeRawData, detail: "resumable uploads are not supported")
        return make(.withoutURL, body: .none, output: output, beginning: .impossible(error))
    }

    /// Creates a download task that continues from bytes that are certainly the server's.
    package func downloadTask(
        with request: URLRequest,
        continuing data: ResumeData
    ) -> URLSessionDownloadTask {
        downloadTask(request, .delegates, beginning: beginning(of: request, data))
    }

    func downloadTask(
        _ request: URLRequest?,
        _ resumeData: Data,
        _ output: TaskOutput
    ) -> URLSessionDownloadTask {
        let data: ResumeData
        do {
            data = try ResumeData(resumeData)
        } catch {
            let error = URLError(.cannotDecodeRawData, detail: "\(error)")
            return downloadTask(request ?? .withoutURL, output, beginning: .impossible(error))
        }
        guard let request = request ?? data.request else {
            return downloadTask(URLRequest(url: URL(filePath: "/")), output)
        }
        return downloadTask(request, output, beginning: beginning(of: request, data))
    }

    func beginning(
        of request: URLRequest,
        _ data: ResumeData
    ) -> TaskLifecycle.Beginning {
        guard let address = ResumeData.address(of: request), data.isOf(address),
            request.isContinuable
        else { return .startOver(.differentURL) }
        var data = data
        data.url = address
        if attachment != nil { return backgroundBeginning(data) }
        guard let point = ResumePoint(data, temporaryFolder: settings.temporaryFolder) else {
            return .startOver(.partialFileChanged)
        }
        return .at(point)
    }
}

extension URLRequest {
    /// The request of a task that sends none: it fails on `resume()`.
    fileprivate static var withoutURL: URLRequest {
        var request = URLRequest(url: URL(filePath: "/"))
        request.url = nil
        return request
    }
}

// Tasks that repeat the last request of a failed task, which may be a redirect's target. They keep the
// state of the first request: its origin is the home origin, resume data has its URL, and the count of
// redirects continues.
extension URLSession {
    /// Creates a data task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: a task that has ended.
    ///   - change: changes to the request.
    /// - Returns: the task, suspended.
    package func dataTask(
        repeating task: URLSessionTask,
        change: (inout URLRequest) -> Void = { _ in }
    ) -> URLSessionDataTask {
        var snapshot = task.snapshot
        change(&snapshot.request)
        return make(repeating: task, at: snapshot)
    }

    /// Creates an upload task that sends the last request of another task again, with its body if any; the
    /// task asks the delegate for a new stream.
    ///
    /// - Returns: the task, suspended.
    package func uploadTask(repeating task: URLSessionTask) -> URLSessionUploadTask {
        make(repeating: task, at: task.snapshot)
    }

    /// Creates a download task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: a task that has ended.
    ///   - data: the resume data of the partial file; `nil`: start at the first byte.
    /// - Returns: the task, suspended.
    package func downloadTask(
        repeating task: URLSessionTask,
        continuing data: ResumeData?
    ) -> URLSessionDownloadTask {
        var snapshot = task.snapshot
        var first = task.originalRequest ?? snapshot.request
        if data != nil {
            // The first response has satisfied the conditions; the request for the rest has none.
            first.removeSatisfiedConditions()
            snapshot.request.removeSatisfiedConditions()
        }
        let beginning: TaskLifecycle.Beginning =
            data.map { self.beginning(of: first, $0) } ?? .atFirstByte
        return make(
            first,
            body: snapshot.body,
            output: .delegates,
            beginning: beginning,
            at: snapshot
        )
    }

    private func make<Task: URLSessionTask>(
        repeating task: URLSessionTask,
        at snapshot: TaskSnapshot
    ) -> Task {
        let first = task.originalRequest ?? snapshot.request
        return make(first, body: snapshot.body, output: .delegates, at: snapshot)
    }
}

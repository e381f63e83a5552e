public import FoundationEssentials

// Tasks, created suspended. A task with a completion handler reports its result only to the handler; the
// session still asks the delegate about redirects, challenges and body streams.
extension URLSession {
    /// Creates a data task.
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        dataTask(request, .delegates)
    }

    /// Creates a data task.
    public func dataTask(with url: URL) -> URLSessionDataTask {
        dataTask(URLRequest(url: url), .delegates)
    }

    /// Creates a data task that passes the whole body, in memory, to a handler.
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(request, .data(completionHandler))
    }

    /// Creates a data task that passes the whole body, in memory, to a handler.
    public func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(URLRequest(url: url), .data(completionHandler))
    }

    /// Creates an upload task that sends bytes from memory; `PUT` where the request has no method.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        uploadTask(request, .data(bodyData), .delegates)
    }

    /// Creates an upload task that sends bytes from memory and passes the response to a handler.
    public func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(request, .data(bodyData ?? Data()), .data(completionHandler))
    }

    /// Creates an upload task that sends a file, which it reads during the transfer.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
    {
        uploadTask(request, .file(fileURL), .delegates)
    }

    /// Creates an upload task that sends a file and passes the response to a handler.
    public func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(request, .file(fileURL), .data(completionHandler))
    }

    /// Creates an upload task whose body the delegate supplies (`needNewBodyStream`).
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        uploadTask(request, .stream(nil), .delegates)
    }

    /// Creates a download task.
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        downloadTask(request, .delegates)
    }

    /// Creates a download task.
    public func downloadTask(with url: URL) -> URLSessionDownloadTask {
        downloadTask(URLRequest(url: url), .delegates)
    }

    /// Creates a download task that passes the file to a handler; the session removes the file after the
    /// handler's call, unless the handler has moved or opened it.
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(request, .download(completionHandler))
    }

    /// Creates a download task that passes the file to a handler; the session removes the file after the
    /// handler's call, unless the handler has moved or opened it.
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(URLRequest(url: url), .download(completionHandler))
    }
}

extension URLSession {
    func dataTask(_ request: URLRequest, _ output: TaskOutput) -> URLSessionDataTask {
        make(request, body: TaskBody(request), output: output)
    }

    func uploadTask(
        _ request: URLRequest,
        _ body: TaskBody,
        _ output: TaskOutput
    ) -> URLSessionUploadTask {
        var request = request
        if request.ownMethod == nil { request.httpMethod = "PUT" }
        // The upload task has its own body.
        request.httpBody = nil
        request.httpBodyStream = nil
        return make(request, body: body, output: output)
    }

    func downloadTask(
        _ request: URLRequest,
        _ output: TaskOutput,
        beginning: TaskLifecycle.Beginning = .atFirstByte
    ) -> URLSessionDownloadTask {
        make(request, body: TaskBody(request), output: output, beginning: beginning)
    }
}

extension TaskBody {
    /// The body of a request.
    init(_ request: borrowing URLRequest) {
        if let data = request.httpBody {
            self = .data(data)
        } else if let stream = request.httpBodyStream {
            self = .stream(stream)
        } else {
            self = .none
        }
    }
}

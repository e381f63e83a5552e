public import FoundationEssentials

// Tasks, made suspended. Those with a completion handler report to it alone, but for what is asked:
// redirects and body streams are still the delegate's.
extension URLSession {
    /// Makes a data task.
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        dataTask(request, .delegates)
    }

    /// Makes a data task.
    public func dataTask(with url: URL) -> URLSessionDataTask {
        dataTask(URLRequest(url: url), .delegates)
    }

    /// Makes a data task that gives the whole body, in memory, to a handler.
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(request, .data(completionHandler))
    }

    /// Makes a data task that gives the whole body, in memory, to a handler.
    public func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(URLRequest(url: url), .data(completionHandler))
    }

    /// Makes an upload task that sends bytes from memory; PUT where the request has no method.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        uploadTask(request, .data(bodyData), .delegates)
    }

    /// Makes an upload task that sends bytes from memory and gives the response to a handler.
    public func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(request, .data(bodyData ?? Data()), .data(completionHandler))
    }

    /// Makes an upload task that sends a file, read while it is sent.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
    {
        uploadTask(request, .file(fileURL), .delegates)
    }

    /// Makes an upload task that sends a file and gives the response to a handler.
    public func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        uploadTask(request, .file(fileURL), .data(completionHandler))
    }

    /// Makes an upload task whose body the delegate supplies (`needNewBodyStream`).
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        uploadTask(request, .stream(nil), .delegates)
    }

    /// Makes a download task.
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        downloadTask(request, .delegates)
    }

    /// Makes a download task.
    public func downloadTask(with url: URL) -> URLSessionDownloadTask {
        downloadTask(URLRequest(url: url), .delegates)
    }

    /// Makes a download task that gives the file to a handler; it is gone when the handler
    /// returns, unless it was moved or opened.
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(request, .download(completionHandler))
    }

    /// Makes a download task that gives the file to a handler; it is gone when the handler
    /// returns, unless it was moved or opened.
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(URLRequest(url: url), .download(completionHandler))
    }
}

extension URLSession {
    func dataTask(_ request: URLRequest, _ output: TaskOutput) -> URLSessionDataTask {
        make { identifier in
            URLSessionDataTask(
                identifier,
                request,
                body: TaskBody(request),
                output: output,
                in: self
            )
        }
    }

    func uploadTask(
        _ request: URLRequest,
        _ body: TaskBody,
        _ output: TaskOutput
    ) -> URLSessionUploadTask {
        var request = request
        if request.ownMethod == nil { request.httpMethod = "PUT" }
        // The body is the task's own.
        request.httpBody = nil
        request.httpBodyStream = nil
        return make { [request] identifier in
            URLSessionUploadTask(identifier, request, body: body, output: output, in: self)
        }
    }

    func downloadTask(
        _ request: URLRequest,
        _ output: TaskOutput,
        beginning: TaskLifecycle.Beginning = .atFirstByte
    ) -> URLSessionDownloadTask {
        make { identifier in
            URLSessionDownloadTask(
                identifier,
                request,
                body: TaskBody(request),
                output: output,
                in: self,
                beginning: beginning
            )
        }
    }
}

extension TaskBody {
    /// The parts of a request.
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

import FoundationEssentials
import URLLoading

/// A call that the session made to its delegate.
enum SessionEvent {
    case willPerformHTTPRedirection(URLSessionTask, HTTPURLResponse, URLRequest)
    case needNewBodyStream(URLSessionTask)
    case didSendBodyData(URLSessionTask, Int64, Int64, Int64)
    case didReceiveResponse(URLSessionTask, URLResponse)
    case didReceiveData(URLSessionTask, Int)
    case didWriteData(URLSessionTask, Int64, Int64, Int64)
    case didResumeAtOffset(URLSessionTask, Int64, Int64)
    case didStartOver(URLSessionTask, DownloadStartOver)
    case didFinishDownloading(URLSessionTask, URL)
    case didComplete(URLSessionTask, (any Error)?)

    /// One line: the task, the method's name, its arguments.
    ///
    /// No secret is in it.
    var text: String {
        switch self {
        case .willPerformHTTPRedirection(let task, let response, let request):
            line(
                task,
                "willPerformHTTPRedirection",
                "\(HeadText.status(response.statusCode)),"
                    + " newRequest: \(request.httpMethod ?? "GET")"
                    + " \(request.url.map(Printer.shown) ?? "")"
            )
        case .needNewBodyStream(let task): line(task, "needNewBodyStream", "")
        case .didSendBodyData(let task, let bytes, let total, let expected):
            line(
                task,
                "didSendBodyData",
                "\(bytes), totalBytesSent: \(total), totalBytesExpectedToSend: \(expected)"
            )
        case .didReceiveResponse(let task, let response):
            line(
                task,
                "didReceive response",
                (response as? HTTPURLResponse).map(HeadText.statusLine) ?? ""
            )
        case .didReceiveData(let task, let bytes):
            line(task, "didReceive data", "\(bytes) bytes")
        case .didWriteData(let task, let bytes, let total, let expected):
            line(
                task,
                "didWriteData",
                "\(bytes), totalBytesWritten: \(total), totalBytesExpectedToWrite: \(expected)"
            )
        case .didResumeAtOffset(let task, let offset, let expected):
            line(task, "didResumeAtOffset", "\(offset), expectedTotalBytes: \(expected)")
        case .didStartOver(let task, let reason): line(task, "didStartOver", "\(reason)")
        case .didFinishDownloading(let task, let location):
            line(task, "didFinishDownloadingTo", location.path)
        case .didComplete(let task, let error):
            line(task, "didCompleteWithError", error.map { "\($0)" } ?? "nil")
        }
    }

    private func line(_ task: URLSessionTask, _ method: String, _ arguments: String) -> String {
        let shown = Printable.text(UserInfo.redacted(in: arguments))
        return "* task \(task.taskIdentifier) \(method): \(shown)"
    }
}

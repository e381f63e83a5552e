import FoundationEssentials
import URLLoading

// One for each of the delegate's methods, to be made in that method: `#function` is its name there.
extension SessionEvent {
    static func willPerformHTTPRedirection(
        _ task: URLSessionTask,
        _ response: HTTPURLResponse,
        _ request: URLRequest,
        _ dropped: [String],
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .willPerformHTTPRedirection,
            method,
            task,
            [
                EventMember("response", .response(response)),
                EventMember("newRequest", .request(request)),
                EventMember("dropped", .list(dropped.map(EventValue.text))),
            ]
        )
    }

    static func didUpgrade(
        _ task: URLSessionTask,
        _ url: URL,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didUpgradeTo,
            method,
            task,
            [EventMember("newURL", .text(url.absoluteString))]
        )
    }

    static func taskIsWaiting(
        _ task: URLSessionTask,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.taskIsWaitingForConnectivity, method, task, [])
    }

    static func needNewBodyStream(
        _ task: URLSessionTask,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.needNewBodyStream, method, task, [])
    }

    static func didSendBodyData(
        _ task: URLSessionTask,
        _ bytes: Int64,
        _ total: Int64,
        _ expected: Int64,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didSendBodyData,
            method,
            task,
            [
                EventMember("bytesSent", .amount(bytes)),
                EventMember("totalBytesSent", .number(total)),
                EventMember("totalBytesExpectedToSend", .number(expected)),
            ]
        )
    }

    static func didReceiveResponse(
        _ task: URLSessionTask,
        _ response: URLResponse,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didReceiveResponse,
            method,
            task,
            [EventMember("response", .response(response))]
        )
    }

    static func didBecomeDownload(
        _ task: URLSessionTask,
        _ download: URLSessionTask,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didBecomeDownload,
            method,
            task,
            [EventMember("downloadTask", .number(Int64(download.taskIdentifier)))]
        )
    }

    /// The length replaces the data, which are the body and go elsewhere.
    static func didReceiveData(
        _ task: URLSessionTask,
        _ bytes: Int,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didReceiveData,
            method,
            task,
            [EventMember("bytesReceived", .amount(Int64(bytes)))]
        )
    }

    /// The body is that which has come before.
    static func willCacheResponse(
        _ task: URLSessionTask,
        _ response: URLResponse,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .willCacheResponse,
            method,
            task,
            [EventMember("response", .response(response))]
        )
    }

    static func didWriteData(
        _ task: URLSessionTask,
        _ bytes: Int64,
        _ total: Int64,
        _ expected: Int64,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didWriteData,
            method,
            task,
            [
                EventMember("bytesWritten", .amount(bytes)),
                EventMember("totalBytesWritten", .number(total)),
                EventMember("totalBytesExpectedToWrite", .number(expected)),
            ]
        )
    }

    static func didResumeAtOffset(
        _ task: URLSessionTask,
        _ offset: Int64,
        _ expected: Int64,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didResumeAtOffset,
            method,
            task,
            [
                EventMember("fileOffset", .number(offset)),
                EventMember("expectedTotalBytes", .number(expected)),
            ]
        )
    }

    static func didStartOver(
        _ task: URLSessionTask,
        _ reason: DownloadStartOver,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didStartOver,
            method,
            task,
            [EventMember("reason", .text("\(reason)"))]
        )
    }

    static func didFinishDownloading(
        _ task: URLSessionTask,
        _ location: URL,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didFinishDownloadingTo,
            method,
            task,
            [EventMember("location", .plain(location.path))]
        )
    }

    static func didComplete(
        _ task: URLSessionTask,
        _ error: (any Error)?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.didCompleteWithError, method, task, [EventMember("error", .error(error))])
    }

    static func didFinishEvents(method: String = #function) -> SessionEvent {
        SessionEvent(.didFinishEvents, method, nil, [])
    }

    static func didBecomeInvalid(
        _ error: (any Error)?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.didBecomeInvalidWithError, method, nil, [EventMember("error", .error(error))])
    }
}

extension SessionEvent {
    static func didSplit(
        _ task: URLSessionTask,
        _ streams: Int,
        _ limit: DownloadSplitLimit?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didSplitInto,
            method,
            task,
            [
                EventMember("streams", .number(Int64(streams))),
                EventMember("limit", limit.map { .text("\($0)") } ?? .none),
            ]
        )
    }
}

extension SessionEvent {
    /// The result of comparing a body with a digest.
    static func didCheckDigest(_ task: URLSessionTask, _ finding: DigestFinding) -> SessionEvent {
        let source: DigestSource
        let outcome: String
        var expected: ExpectedDigest?
        var actual: BodyDigest?
        var reason: String?
        switch finding {
        case .matches(let party, let digest):
            (source, outcome) = (party, "matches")
            (expected, actual) = (ExpectedDigest(digest), digest)
        case .differs(let mismatch):
            (source, outcome) = (mismatch.source, "differs")
            (expected, actual) = (mismatch.expected, mismatch.actual)
        case .unusable(let party, let why):
            (source, outcome, reason) = (party, "unusable", why)
        }
        return SessionEvent(
            .didCheckDigest,
            "urlSession(_:task:didCheckDigest:)",
            task,
            [
                EventMember("source", .plain(source.rawValue)),
                EventMember("finding", .plain(outcome)),
                EventMember("expected", expected.map { .plain("\($0)") } ?? .none),
                EventMember("actual", actual.map { .plain("\($0)") } ?? .none),
                EventMember("reason", reason.map { .plain($0) } ?? .none),
            ]
        )
    }
}

import FoundationEssentials
import URLLoading

// Calls that several delegates report. Each delegate's method calls them for its `#function`.
extension SessionEvent {
    static func didReceiveResponse(
        _ task: URLSessionTask,
        _ response: URLResponse,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.didReceiveResponse, task, ["response": .response(response)], method: method)
    }

    /// The event has the data's length, because the body itself is written elsewhere.
    static func didReceiveData(
        _ task: URLSessionTask,
        _ bytes: Int,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didReceiveData,
            task,
            ["bytesReceived": .amount(Int64(bytes))],
            method: method
        )
    }

    static func didFinishDownloading(
        _ task: URLSessionTask,
        _ location: URL,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(
            .didFinishDownloadingTo,
            task,
            ["location": .plain(location.path)],
            method: method
        )
    }

    static func didComplete(
        _ task: URLSessionTask,
        _ error: (any Error)?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.didCompleteWithError, task, ["error": .error(error)], method: method)
    }

    static func didBecomeInvalid(
        _ error: (any Error)?,
        method: String = #function
    ) -> SessionEvent {
        SessionEvent(.didBecomeInvalidWithError, nil, ["error": .error(error)], method: method)
    }

    /// The result of the comparison of a body with a digest.
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
            task,
            [
                "source": .plain(source.rawValue),
                "finding": .plain(outcome),
                "expected": expected.map { .plain("\($0)") } ?? .none,
                "actual": actual.map { .plain("\($0)") } ?? .none,
                "reason": reason.map { .plain($0) } ?? .none,
            ],
            method: "urlSession(_:task:didCheckDigest:)"
        )
    }
}

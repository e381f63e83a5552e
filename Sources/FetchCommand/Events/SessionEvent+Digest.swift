import FoundationEssentials
import URLLoading

extension SessionEvent {
    /// What came of comparing a body with a digest.
    static func didCheckDigest(_ task: URLSessionTask, _ finding: DigestFinding) -> SessionEvent {
        let source: DigestSource
        let outcome: String
        var expected: ExpectedDigest?
        var actual: BodyDigest?
        var reason: String?
        switch finding {
        case .matches(let who, let digest):
            (source, outcome) = (who, "matches")
            (expected, actual) = (ExpectedDigest(digest), digest)
        case .differs(let mismatch):
            (source, outcome) = (mismatch.source, "differs")
            (expected, actual) = (mismatch.expected, mismatch.actual)
        case .unusable(let who, let why):
            (source, outcome, reason) = (who, "unusable", why)
        }
        return SessionEvent(
            .didCheckDigest,
            method: "urlSession(_:task:didCheckDigest:)",
            task: task.taskIdentifier,
            url: task.originalRequest?.url?.absoluteString,
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

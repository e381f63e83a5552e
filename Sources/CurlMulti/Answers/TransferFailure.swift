/// Why a transfer ended before its answer was whole.
public struct TransferFailure: Sendable, Error {
    /// What it was.
    public var reason: Reason
    /// libcurl's own words for this one case, or ours.
    public var detail: String

    /// The kinds of end.
    public enum Reason: Sendable, Hashable {
        /// libcurl gave up.
        case curl(CurlCode)
        /// The network was silent for longer than the request allows.
        case idleTimeout
        /// Somebody cancelled it.
        case cancelled
        /// The head of the answer is not HTTP, or has no end.
        case malformedHead
        /// A callback of its handler stopped it; the handler knows why.
        case stoppedByHandler
    }

    /// Makes a failure.
    public init(_ reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

/// How a transfer ended, and what it cost.
public struct TransferOutcome: Sendable {
    /// What went wrong; `nil`: the answer came whole.
    public var failure: TransferFailure?
    /// What it cost until then.
    public var metrics: TransferMetrics
    /// The fields that came behind the body, where the head has announced any (`Trailer`).
    public var trailers: [ResponseHead.Field] = []

    /// Makes an outcome.
    public init(failure: TransferFailure?, metrics: TransferMetrics) {
        self.failure = failure
        self.metrics = metrics
    }
}

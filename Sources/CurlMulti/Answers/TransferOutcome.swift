/// How a transfer ended, and what it cost.
public struct TransferOutcome: Sendable {
    /// What went wrong; `nil`: the answer came whole.
    public var failure: TransferFailure?
    /// What it cost until then.
    public var metrics: TransferMetrics
    /// The fields that came behind the body, where the head has announced any (`Trailer`).
    public var trailers: [ResponseHead.Field] = []
    /// Whether the server may have acted on the request; `false` only where that is certain: no byte
    /// of it has left, or the server has refused its stream.
    public var mayHaveReachedServer: Bool

    /// Makes an outcome.
    public init(
        failure: TransferFailure?,
        metrics: TransferMetrics,
        mayHaveReachedServer: Bool = true
    ) {
        self.failure = failure
        self.metrics = metrics
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}

/// Reads a body and forgets it, as far as that is cheaper than a new connection.
final class DiscardingSink: BodySink {
    /// Bytes; about what comes in the time a new connection takes.
    static let limit = 64 << 10
    /// How long the rest of a body may take; a new connection takes less.
    static let patience: Duration = .milliseconds(100)

    private(set) var hasEnough: Bool
    private var taken = 0
    private let deadline = ContinuousClock.now + patience

    /// - Parameters:
    ///   - head: the answer's head; `nil` where it is not HTTP's.
    ///   - method: the request's.
    init(_ head: HopHead? = nil, method: String = "GET") {
        let length = head?.bodyLength(method) ?? 0
        // A connection that ends with the body, or carries more than is read, serves no other request.
        hasEnough = head?.endsWithConnection(method) == true || length > Int64(Self.limit)
    }

    var nextTurn: ContinuousClock.Instant? { hasEnough ? nil : deadline }

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        taken += bytes.count
        return hasEnough || taken > Self.limit ? .enough : .taken
    }

    func turnEnded() {
        if ContinuousClock.now >= deadline { hasEnough = true }
    }

    func finish(_ end: inout HopEnd) {
        // The client has no use for the body, nor for the way it ended.
        end.error = nil
    }
}

/// Reads a body and forgets it, as far as that is cheaper than a new connection.
final class DiscardingSink: BodySink {
    /// Bytes; about what comes in the time a new connection takes.
    static let limit = 64 << 10

    private var taken = 0

    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        taken += bytes.count
        return taken > Self.limit ? .enough : .taken
    }

    func turnEnded() {}

    func finish(_ end: inout HopEnd) {
        // Whoever has no use for the body has none for the way it ended.
        end.error = nil
    }
}

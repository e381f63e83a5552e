import FoundationEssentials

/// The receiver of a task's result.
enum TaskOutput: Sendable {
    /// The delegates, piece by piece.
    case delegates
    /// A completion handler, all at once.
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    /// A completion handler, with a temporary file.
    case download(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    /// A sequence, whose reader sets the pace.
    case bytes(ByteChannel)
}

import FoundationEssentials

/// The receiver of a task's result.
enum TaskOutput: Sendable {
    /// The delegates, piece by piece.
    case delegates
    /// A completion handler, all at once.
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    /// A completion handler, as a temporary file.
    case download(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    /// A sequence that is read at its own pace.
    case bytes(ByteChannel)
}

/// Why a task has to end though it is not over.
enum Interruption: Sendable, Equatable {
    /// The process was told to end.
    case signal(Int32)
    /// Another task has failed, with `--fail-early`.
    case failEarly
}

/// A failure that is not the end of a task.
struct BackgroundRetry: Codable, Hashable, Sendable {
    /// The tries that have failed in a row.
    var attempts: Int
    /// When the next one begins, microseconds since 1970.
    var until: Int64
    /// What the last one failed with.
    var error: StoredError
}

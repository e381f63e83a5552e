/// A failure that is not the end of a task.
struct BackgroundRetry: Codable, Hashable, Sendable {
    /// The tries that have failed in a row.
    var attempts: Int
    /// When the next one begins, microseconds since 1970.
    var until: Int64
    /// What the last one failed with.
    var error: StoredError
}

extension BackgroundRetry {
    /// Nobody has tried as often.
    static let lastAttempt = 1 << 30

    /// The same, where somebody has put a number into the journal that cannot be counted on from.
    var bounded: BackgroundRetry {
        var retry = self
        retry.attempts = min(max(0, attempts), Self.lastAttempt)
        return retry
    }
}

/// The last time that a session's command was run.
struct BackgroundCommandRun: Codable, Hashable, Sendable {
    /// Which time it was, from 1.
    var number: Int
    var reason: BackgroundCommandReason
    /// Whether it has not ended.
    var isRunning: Bool
    /// What waitpid(2) says; `nil` where nobody has waited for its end.
    var status: Int32?
}

extension BackgroundCommandRun {
    /// The same, where somebody has put a number into the journal that cannot be counted on from.
    var bounded: BackgroundCommandRun {
        var run = self
        run.number = min(max(1, number), BackgroundState.lastSequence)
        return run
    }
}

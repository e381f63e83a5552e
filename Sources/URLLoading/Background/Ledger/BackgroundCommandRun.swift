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
    /// Brings a number that somebody has put into the journal to where it can be counted on from.
    mutating func bound() {
        number = min(max(1, number), BackgroundState.lastSequence)
    }
}

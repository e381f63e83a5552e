/// A task that the program has not been told the end of.
struct BackgroundTask: Hashable, Sendable {
    /// Where it stands, as far as that outlives a process.
    enum Phase: Hashable, Sendable {
        /// Not resumed, or suspended. → active, ended
        case held
        /// To be carried out, perhaps not before some time. → held, parked, placing, ended
        case active(BackgroundRetry?)
        /// It needs a credential. → held, active, ended
        case parked(ChallengeRecord)
        /// What it has received is moved to where it belongs. → placing, ended
        case placing(BackgroundPlacement)
        /// The event with this number says how. → gone
        case ended(Int)
    }

    let record: BackgroundTaskRecord
    var phase = Phase.held

    /// Whether it could go on without the program.
    var isLive: Bool {
        switch phase {
        case .active, .placing: true
        case .held, .parked, .ended: false
        }
    }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }
}

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

    /// What it is to do; shared, since a session with thousands of tasks is looked through at every
    /// turn.
    private final class Making: Sendable {
        let record: BackgroundTaskRecord

        init(_ record: BackgroundTaskRecord) {
            self.record = record
        }
    }

    private let making: Making
    /// When it must have ended, microseconds since 1970; `nil`: never.
    let deadline: Int64?
    let priority: Float
    var phase = Phase.held

    init(record: BackgroundTaskRecord) {
        making = Making(record)
        deadline = record.deadline
        priority = record.priority
    }

    var record: BackgroundTaskRecord { making.record }

    static func == (one: Self, other: Self) -> Bool {
        one.phase == other.phase && one.record == other.record
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(record.identifier)
    }

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

/// How a session is at a moment: for who attaches, and for lists.
struct BackgroundStatus: Codable, Hashable, Sendable {
    /// A task, and where it stands.
    struct Task: Codable, Hashable, Sendable {
        var record: BackgroundTaskRecord
        var phase: BackgroundPhase
        /// The tries that have failed in a row.
        var attempts = 0
        /// When it is tried again, microseconds since 1970.
        var retryTime: Int64?
        /// What the last try failed with.
        var error: StoredError?
        var progress: BackgroundProgress?
        /// Who wants a credential, where it is parked.
        var challenge: ChallengeRecord?
    }

    var settings: BackgroundSettings
    /// The transfer process; `nil` where there is none.
    var process: Int32?
    /// Who is attached.
    var attached: Int32?
    var isPaused: Bool
    /// What the session waits for, in words.
    var waitsFor: [String] = []
    var tasks: [Task]
    /// The number for the next task that is made.
    var nextTask: Int
    /// The events that have not been told.
    var untold: Int
    var command: BackgroundCommandRun?
}

extension BackgroundStatus {
    /// How a ledger's session is; `nil` where it has no settings.
    init?(_ ledger: BackgroundLedger, process: Int32?) {
        let state = ledger.state
        guard let settings = state.settings else { return nil }
        self.settings = settings
        self.process = process
        attached = ledger.attachment?.process
        isPaused = state.figures.isPaused
        tasks = ledger.ordered.map { Task($0.value, isRunning: ledger.running.contains($0.key)) }
        nextTask = state.figures.lastTask + 1
        untold = state.events.values.count { !$0.isTaken }
        command = state.figures.command
    }
}

extension BackgroundStatus.Task {
    init(_ task: BackgroundTask, isRunning: Bool) {
        record = task.record
        switch task.phase {
        case .held: phase = .held
        case .active(let retry):
            phase = isRunning ? .running : .waiting
            attempts = retry?.attempts ?? 0
            retryTime = isRunning ? nil : retry?.until
            error = retry?.error
        case .parked(let challenge):
            phase = .parked
            self.challenge = challenge
        case .placing: phase = .finishing
        case .ended: phase = .ended
        }
    }
}

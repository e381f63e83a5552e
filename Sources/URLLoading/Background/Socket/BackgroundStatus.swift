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
        /// What it has ended with, or the last try failed with, or why the transfer process holds it.
        var error: StoredError?
        /// The path of the file that it becomes or has become, where that is not the one it was made for.
        var path: String?
        /// The length of what it has received, where it has ended.
        var size: Int64?
        /// The status of its response, where it has ended.
        var status: Int?
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
    /// How a state machine's session is; `nil` where it has no settings.
    init?(_ machine: BackgroundStateMachine, process: Int32?) {
        let state = machine.state
        guard let settings = state.settings else { return nil }
        self.settings = settings
        self.process = process
        attached = machine.attachment?.process
        isPaused = state.figures.isPaused
        tasks = machine.ordered.map { number, task in
            var status = Task(task, isRunning: machine.running.contains(number))
            if case .ended(let sequence) = task.phase { status.note(endedBy: sequence, state) }
            return status
        }
        nextTask = state.figures.lastTask + 1
        untold = state.events.values.count { !$0.isTaken }
        command = state.figures.command
    }
}

extension BackgroundStatus.Task {
    init(_ task: BackgroundTask, isRunning: Bool) {
        record = task.record
        switch task.phase {
        case .held:
            phase = .held
            error = task.blocker
        case .active(let retry):
            phase = isRunning ? .running : .waiting
            attempts = retry?.attempts ?? 0
            retryTime = isRunning ? nil : retry?.until
            error = retry?.error
        case .parked(let challenge):
            phase = .parked
            self.challenge = challenge
        case .placing(let placement):
            phase = .finishing
            path = placement.target
        case .ended: phase = .ended
        }
    }

    /// Takes how it has ended, by the events that have not been told.
    mutating func note(endedBy sequence: Int, _ state: BackgroundState) {
        if case .completed(_, let error, let response, _)? = state.events[sequence]?.event {
            self.error = error
            status = response?.status
        }
        guard case .finished(record.identifier, let file, _)? = state.events[sequence - 1]?.event
        else { return }
        size = file.size
        if record.destination != nil { path = file.path }
    }
}

/// How far a task is, bytes; −1 where a whole is not known.
struct BackgroundProgress: Codable, Hashable, Sendable {
    var task: Int
    var received: Int64
    var expectedToReceive: Int64
    var sent: Int64
    var expectedToSend: Int64
    /// Where it has gone on, of one that was made from resume data.
    var resumedAt: Int64?
    /// Why one that was made from resume data has begun at its first byte.
    var startOver: String?
}

extension BackgroundProgress {
    /// As it is said: what is less than a count can be is the least that it can.
    init(from decoder: any Decoder) throws {
        let said = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, from least: Int64) throws -> Int64 {
            max(least, try said.decode(Int64.self, forKey: key))
        }
        task = try said.decode(Int.self, forKey: .task)
        received = try count(.received, from: 0)
        expectedToReceive = try count(.expectedToReceive, from: -1)
        sent = try count(.sent, from: 0)
        expectedToSend = try count(.expectedToSend, from: -1)
        resumedAt = try said.decodeIfPresent(Int64.self, forKey: .resumedAt).map { max(0, $0) }
        startOver = try said.decodeIfPresent(String.self, forKey: .startOver)
    }
}

extension DownloadStartOver {
    /// As one process says it to another: a word, and after a blank what belongs to it.
    var stored: String {
        switch self {
        case .entityChanged: "entityChanged"
        case .rangesNotSupported: "rangesNotSupported"
        case .unexpectedRange(let words): "unexpectedRange \(words)"
        case .differentURL: "differentURL"
        // No task of a background session knows what its body must come to.
        case .partialFileChanged, .digestMismatch: "partialFileChanged"
        }
    }

    /// What was said; a word that this build does not know is one of the part.
    init(stored: String) {
        let words = stored.split(separator: " ", maxSplits: 1)
        switch words.first {
        case "entityChanged": self = .entityChanged
        case "rangesNotSupported": self = .rangesNotSupported
        case "unexpectedRange": self = .unexpectedRange(words.count > 1 ? String(words[1]) : "")
        case "differentURL": self = .differentURL
        default: self = .partialFileChanged
        }
    }
}

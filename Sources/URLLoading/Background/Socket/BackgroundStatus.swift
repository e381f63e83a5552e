/// How a session is at a moment: for clients, and for lists.
package struct BackgroundStatus: Codable, Hashable, Sendable {
    /// A task whose end has not been told, and where it stands.
    package struct Task: Codable, Hashable, Sendable {
        var record: BackgroundTaskRecord
        package var phase: BackgroundPhase
        /// The tries that have failed in a row.
        package var attempts = 0
        /// When it is tried again, microseconds since 1970.
        package var retryTime: Int64?
        /// What it has ended with, or the last try failed with, or why the transfer process holds it.
        var lastError: StoredError?
        /// The path of the file that it becomes or has become, where that is not the one it was made for.
        var path: String?
        /// The length of what it has received, where it has ended with that.
        package var size: Int64?
        /// The status of its response, where it has ended; one of an error is a failure only where
        /// `takesSuccessOnly`.
        package var status: Int?
        var progress: BackgroundProgress?
        /// What wants a credential, where it is parked.
        var challenge: ChallengeRecord?
    }

    var settings: BackgroundSettings
    /// The transfer process; `nil` where none runs.
    package var process: Int32?
    /// The process of the client that is attached.
    package var attached: Int32?
    /// What the session as a whole waits for, in words.
    package var waitsFor: [String] = []
    /// Over the socket they come before, a page at a time.
    package var tasks: [Task] = []
    var counters: BackgroundCounters
    /// The events that have not been told.
    package var undelivered: Int
    /// The file that has the output of the session's command; `nil` where there is none.
    package var commandLog: String?

    /// The names of these members on the socket.
    private enum CodingKeys: String, CodingKey {
        case settings, process, attached, waitsFor, tasks, counters, commandLog
        case undelivered = "untold"
    }
}

extension BackgroundStatus {
    /// The status of a state machine's session, without its tasks; `nil` where it has no settings.
    init?(_ machine: BackgroundStateMachine, process: Int32?) {
        let state = machine.state
        guard let settings = state.settings else { return nil }
        self.settings = settings
        self.process = process
        attached = machine.attachment?.process
        counters = state.counters
        undelivered = state.events.count { !$0.value.isTaken }
    }

    /// The same with its tasks.
    func with(_ machine: BackgroundStateMachine) -> BackgroundStatus {
        var status = self
        status.tasks = machine.ordered.map { Task($0.value, in: machine) }
        return status
    }
}

// For lists.
extension BackgroundStatus {
    package var identifier: String { settings.identifier }
    package var isPaused: Bool { counters.isPaused }
    package var isDiscretionary: Bool { settings.isDiscretionary }
    /// What the session's command has ended with the last time, as waitpid(2) says; `nil` where it
    /// was never run, or that is not known.
    package var commandStatus: Int32? { counters.command?.status }
    package var commandIsRunning: Bool { counters.command?.isRunning ?? false }
    package var commandRuns: Int { counters.command?.number ?? 0 }
}

extension BackgroundStatus.Task {
    package var number: Int { record.identifier }
    package var method: String { record.request.method ?? "GET" }
    /// As it was asked for; a user and password in it are the caller's to leave out.
    package var url: String { record.request.url }
    /// The file that it becomes, or has become; `nil`: the client that attaches gets it.
    package var destination: String? { path ?? record.destination }
    package var takesSuccessOnly: Bool { record.takesSuccessOnly }
    package var isUpload: Bool { record.kind == .upload }
    /// Bytes, so far.
    package var received: Int64 { progress?.received ?? 0 }
    package var sent: Int64 { progress?.sent ?? 0 }
    /// Bytes; −1 where that is not known.
    package var expectedToReceive: Int64 { progress?.expectedToReceive ?? -1 }
    package var expectedToSend: Int64 {
        progress?.expectedToSend ?? record.body?.file.size ?? -1
    }
    /// What it has ended with, or the last try failed with, or why the transfer process holds it.
    package var error: URLError? { lastError?.urlError }
    /// The server that wants a credential, where it is parked.
    package var challenger: String? { challenge.map { "\($0.host):\($0.port)" } }
}

extension BackgroundStatus.Task {
    init(_ task: BackgroundTask, in machine: BackgroundStateMachine) {
        record = task.record
        let isRunning = machine.running.contains(record.identifier)
        switch task.phase {
        case .held:
            phase = .held
            lastError = task.blocker
        case .active(let retry):
            phase = isRunning ? .running : .waiting
            attempts = retry?.attempts ?? 0
            retryTime = isRunning ? nil : retry?.until
            lastError = retry?.error
        case .parked(let challenge):
            phase = .parked
            self.challenge = challenge
        case .placing(let placement):
            phase = .finishing
            path = placement.target
        case .ended(let sequence):
            phase = .ended
            note(endedBy: sequence, machine.state)
        }
    }

    /// Takes how it has ended, by the events that have not been told.
    private mutating func note(endedBy sequence: Int, _ state: BackgroundState) {
        if case .completed(_, let error, let response, _)? = state.events[sequence]?.event {
            lastError = error
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
    /// Reads what was sent: what is less than a count can be is the least that it can.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, from least: Int64) throws -> Int64 {
            max(least, try members.decode(Int64.self, forKey: key))
        }
        task = try members.decode(Int.self, forKey: .task)
        received = try count(.received, from: 0)
        expectedToReceive = try count(.expectedToReceive, from: -1)
        sent = try count(.sent, from: 0)
        expectedToSend = try count(.expectedToSend, from: -1)
        resumedAt = try members.decodeIfPresent(Int64.self, forKey: .resumedAt).map { max(0, $0) }
        startOver = try members.decodeIfPresent(String.self, forKey: .startOver)
    }
}

extension DownloadStartOver {
    /// As one process sends it to another: a word, and after a blank what belongs to it.
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

/// A snapshot of a session, for clients and lists.
package struct BackgroundStatus: Codable, Hashable, Sendable {
    /// A snapshot of a task whose end is not delivered.
    package struct Task: Codable, Hashable, Sendable {
        var record: BackgroundTaskRecord
        package var phase: BackgroundPhase
        package var attempts = 0
        /// The time of the next retry, microseconds since 1970.
        package var retryTime: Int64?
        /// The error of its end, of the last attempt, or for which the transfer process holds the task.
        var lastError: StoredError?
        /// The path of the file, if that is not the task's destination.
        var path: String?
        /// The length of the received file, if the task has ended with one.
        package var size: Int64?
        /// The status of the response, if the task has ended; an error status is a failure only with
        /// `takesSuccessOnly`.
        package var status: Int?
        var progress: BackgroundProgress?
        var challenge: ChallengeRecord?
    }

    var settings: BackgroundSettings
    /// The transfer process; `nil` if none runs.
    package var process: Int32?
    /// The process of the attached client.
    package var attached: Int32?
    /// The conditions for which the session waits, in words.
    package var waitsFor: [String] = []
    /// The tasks; over the socket, they are sent before the status, in pages.
    package var tasks: [Task] = []
    var counters: BackgroundCounters
    /// The number of undelivered events.
    package var undelivered: Int
    /// The file with the output of the session's command; `nil` if there is none.
    package var commandLog: String?

    /// The names of these members on the socket.
    private enum CodingKeys: String, CodingKey {
        case settings, process, attached, waitsFor, tasks, counters, commandLog
        case undelivered = "untold"
    }
}

extension BackgroundStatus {
    /// The status of a state machine's session, without its tasks; `nil` if it has no settings.
    init?(_ machine: BackgroundStateMachine, process: Int32?) {
        let state = machine.state
        guard let settings = state.settings else { return nil }
        self.settings = settings
        self.process = process
        attached = machine.attachment?.process
        counters = state.counters
        undelivered = state.events.count { !$0.value.isTaken }
    }

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
    /// The last status of the session's command, from waitpid(2); `nil` if it was never run, or is unknown.
    package var commandStatus: Int32? { counters.command?.status }
    package var commandIsRunning: Bool { counters.command?.isRunning ?? false }
    package var commandRuns: Int { counters.command?.number ?? 0 }
}

extension BackgroundStatus.Task {
    package var number: Int { record.identifier }
    package var method: String { record.request.method ?? "GET" }
    /// The URL of the request; the caller removes a user and password from it.
    package var url: String { record.request.url }
    /// The path of the file; `nil`: the client that attaches gets the file.
    package var destination: String? { path ?? record.destination }
    package var takesSuccessOnly: Bool { record.takesSuccessOnly }
    package var isUpload: Bool { record.kind == .upload }
    package var received: Int64 { progress?.received ?? 0 }
    package var sent: Int64 { progress?.sent ?? 0 }
    /// The expected bytes; −1 if unknown.
    package var expectedToReceive: Int64 { progress?.expectedToReceive ?? -1 }
    package var expectedToSend: Int64 {
        progress?.expectedToSend ?? record.body?.file.size ?? -1
    }
    /// The error of its end, of the last attempt, or for which the transfer process holds the task.
    package var error: URLError? { lastError?.urlError }
    /// The server of the challenge, if the task is parked.
    package var challenger: String? { challenge.map { "\($0.host):\($0.port)" } }

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

    /// Takes the result of an ended task from its undelivered events.
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

/// The progress of a task, bytes; −1 for an unknown total.
struct BackgroundProgress: Codable, Hashable, Sendable {
    var task: Int
    var received: Int64 = 0
    var expectedToReceive: Int64 = -1
    var sent: Int64 = 0
    var expectedToSend: Int64 = -1
    /// The offset at which a task with resume data was resumed.
    var resumedAt: Int64?
    /// The reason why a task with resume data started over.
    var startOver: String?
}

extension BackgroundProgress {
    /// Decodes progress; a count below its least value becomes that value.
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
    /// The form for the socket: a word, and its value after a blank.
    var stored: String {
        switch self {
        case .entityChanged: "entityChanged"
        case .rangesNotSupported: "rangesNotSupported"
        case .unexpectedRange(let words): "unexpectedRange \(words)"
        case .differentURL: "differentURL"
        // The program of a background session sees a wrong digest as a changed part.
        case .partialFileChanged, .digestMismatch: "partialFileChanged"
        }
    }

    /// Decodes a reason; an unknown word becomes `partialFileChanged`.
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

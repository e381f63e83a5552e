/// The state of a background session that outlives its processes: the content of its journal.
///
/// Only ``apply(_:)`` changes it, so a process that reads the journal has the same state as the one before.
/// A record that does not apply, such as one of a task that is gone, changes nothing.
struct BackgroundState: Hashable, Sendable {
    /// An undelivered event; if its file was taken away, it counts as delivered.
    struct Pending: Hashable, Sendable {
        var event: BackgroundEvent
        var isTaken = false
    }

    /// The highest event number; no session reaches it.
    static let lastSequence = 1 << 50

    private(set) var settings: BackgroundSettings?
    /// The tasks whose ends are not delivered, by number.
    private(set) var tasks: NumberedTable<BackgroundTask> = [:]
    private(set) var events: NumberedTable<Pending> = [:]
    private(set) var counters = BackgroundCounters()

    init(_ records: [JournalRecord] = []) {
        for record in records { apply(record) }
    }

    mutating func apply(_ record: JournalRecord) {
        switch record {
        case .session(let settings): self.settings = settings
        case .made(let task):
            guard tasks[task.identifier] == nil,
                BackgroundTaskRecord.numbers.contains(task.identifier)
            else { return }
            tasks[task.identifier] = BackgroundTask(record: task)
            if task.startsResumed { move(task.identifier, to: .active(nil)) }
            counters.lastTask = max(counters.lastTask, task.identifier)
        case .resumed(let task, let time):
            tasks[task]?.endHold(at: time)
            move(task, to: .active(nil))
        case .suspended(let task, let blocker, let time):
            move(task, to: .held)
            guard tasks[task]?.phase == .held else { return }
            tasks[task]?.blocker = blocker
            tasks[task]?.heldSince = time
        // An edited journal may have numbers that would overflow.
        case .waiting(let task, var retry):
            retry.attempts = min(max(0, retry.attempts), BackgroundRetry.lastAttempt)
            move(task, to: .active(retry))
        case .parked(let task, let challenge): move(task, to: .parked(challenge))
        case .placing(let task, var placement):
            placement.number = min(max(0, placement.number), BackgroundPlacement.lastNumber)
            move(task, to: .placing(placement))
        case .placed(let task, let sequence, let metrics):
            guard case .placing(let placement)? = tasks[task]?.phase,
                sequence > 0, sequence < Self.lastSequence
            else { return }
            let response = placement.response
            note(sequence, .finished(task: task, file: placement.placedFile))
            note(
                sequence + 1,
                .completed(task: task, error: nil, response: response, metrics: metrics)
            )
        case .event(let sequence, let event): note(sequence, event)
        case .offered(let sequence):
            counters.offered = min(max(counters.offered, sequence), counters.lastEvent)
        case .doubted(let sequence):
            counters.doubted = min(max(counters.doubted, sequence), counters.lastEvent)
        case .taken(let sequence): events[sequence]?.isTaken = true
        case .acknowledged(let sequence): acknowledge(sequence)
        case .paused(let isPaused): counters.isPaused = isPaused
        case .commandDue(let reason): counters.commandDue = reason
        case .commandBegan(let run, let reason):
            counters.commandDue = nil
            counters.command =
                BackgroundCommandRun(number: run, reason: reason, isRunning: true).bounded
        case .commandEnded(let run, let status):
            guard counters.command?.number == run else { return }
            counters.command?.isRunning = false
            counters.command?.status = status
        case .figures(let figures): counters = figures.bounded
        }
    }

    /// Changes the phase of a task, unless the task has ended.
    private mutating func move(_ task: Int, to phase: BackgroundTask.Phase) {
        guard tasks[task]?.hasEnded == false else { return }
        tasks[task]?.phase = phase
        tasks[task]?.blocker = nil
        tasks[task]?.heldSince = nil
    }

    private mutating func note(_ sequence: Int, _ event: BackgroundEvent) {
        guard sequence > counters.acknowledged, sequence <= Self.lastSequence else { return }
        events[sequence] = Pending(event: event)
        counters.lastEvent = max(counters.lastEvent, sequence)
        switch event {
        case .finished: break
        case .completed(let task, let error, let response, _):
            // The program gets a response, but the task counts as failed.
            let isRefusal =
                tasks[task]?.record.takesSuccessOnly == true && response?.isError == true
            move(task, to: .ended(sequence))
            if error == nil, !isRefusal {
                counters.counts.succeeded += 1
            } else {
                counters.counts.failed += 1
            }
        case .allDone: counters.counts = BackgroundCounts()
        }
    }

    private mutating func acknowledge(_ sequence: Int) {
        let sequence = min(sequence, counters.lastEvent)
        guard sequence > counters.acknowledged else { return }
        for number in events(upTo: sequence) {
            if case .completed(let task, _, _, _)? = events[number]?.event { tasks[task] = nil }
            events[number] = nil
        }
        counters.acknowledged = sequence
        counters.offered = max(counters.offered, sequence)
    }
}

extension BackgroundState {
    /// The sorted numbers of the undelivered events up to `sequence`.
    func events(upTo sequence: Int) -> [Int] {
        // If the numbers have large gaps, as in an edited journal, the events are searched instead.
        sequence - counters.acknowledged <= events.count
            ? (counters.acknowledged + 1..<max(counters.acknowledged, sequence) + 1)
                .filter { events[$0] != nil }
            : events.keys.filter { $0 <= sequence }.sorted()
    }

    /// An event as it is sent to a client.
    ///
    /// The response of a complete body is stored once, with the task's end, which is the next event.
    /// Earlier versions stored it with both events.
    func completed(_ event: BackgroundEvent, _ sequence: Int) -> BackgroundEvent {
        guard case .finished(let task, let file, nil) = event,
            case .completed(task, _, let response, _)? = events[sequence + 1]?.event
        else { return event }
        return .finished(task: task, file: file, response: response)
    }

    /// The most records in ``history``.
    var historyCount: Int { 2 + 2 * tasks.count + 2 * events.count }

    /// The fewest records that lead to this state.
    var history: [JournalRecord] {
        var records: [JournalRecord] = settings.map { [.session(settings: $0)] } ?? []
        for (number, task) in tasks.sorted(by: { $0.key < $1.key }) {
            records.append(.made(task: task.record))
            switch task.phase {
            case .held:
                guard
                    task.blocker != nil || task.heldSince != task.record.made
                        || task.record.startsResumed
                else { break }
                records.append(.suspended(task: number, blocker: task.blocker, at: task.heldSince))
            // The record of the event implies it.
            case .ended: break
            case .active(nil):
                if !task.record.startsResumed { records.append(.resumed(task: number)) }
            case .active(let retry?): records.append(.waiting(task: number, retry: retry))
            case .parked(let challenge):
                records.append(.parked(task: number, challenge: challenge))
            case .placing(let placement):
                records.append(.placing(task: number, placement: placement))
            }
        }
        for (number, pending) in events.sorted(by: { $0.key < $1.key }) {
            records.append(.event(sequence: number, event: pending.event))
            if pending.isTaken { records.append(.taken(sequence: number)) }
        }
        // The counters include the records that are left out, and so replace what these records produce.
        records.append(.figures(figures: counters))
        return records
    }

    var isSpent: Bool {
        tasks.isEmpty && events.isEmpty && counters.commandDue == nil
            && counters.command?.isRunning != true
    }
}

/// The counters of a session, and its other single values.
struct BackgroundCounters: Codable, Hashable, Sendable {
    /// Whether no transfer process has begun yet, so that no task has received files; `nil`: one has.
    var isFresh: Bool?
    var lastTask = 0
    var lastEvent = 0
    /// The last event that was, or may have been, sent to a client.
    var offered = 0
    /// The last event that may have reached a client which ended without acknowledging it.
    var doubted = 0
    var acknowledged = 0
    /// The tasks that have ended since the last `allDone` event.
    var counts = BackgroundCounts()
    var isPaused = false
    /// The reason why the command is due; `nil`: it is not due.
    var commandDue: BackgroundCommandReason?
    var command: BackgroundCommandRun?

    private enum CodingKeys: String, CodingKey {
        case isFresh, lastTask, lastEvent, offered, doubted, acknowledged, isPaused, commandDue,
            command
        case counts = "tally"
    }

    /// The same with bounded numbers: an edited journal may have some that would overflow.
    var bounded: BackgroundCounters {
        var counters = self
        counters.lastTask = min(max(0, lastTask), BackgroundTaskRecord.lastNumber)
        counters.lastEvent = min(max(0, lastEvent), BackgroundState.lastSequence)
        for count in [\BackgroundCounters.offered, \.doubted, \.acknowledged] {
            counters[keyPath: count] = min(max(0, self[keyPath: count]), counters.lastEvent)
        }
        counters.counts.succeeded = min(max(0, counts.succeeded), counters.lastEvent)
        counters.counts.failed = min(max(0, counts.failed), counters.lastEvent)
        counters.command = command?.bounded
        return counters
    }
}

struct BackgroundCounts: Codable, Hashable, Sendable {
    var succeeded = 0
    var failed = 0
}

/// The last run of a session's command.
struct BackgroundCommandRun: Codable, Hashable, Sendable {
    /// The number of the run, from 1.
    var number: Int
    var reason: BackgroundCommandReason
    var isRunning: Bool
    /// The status from waitpid(2); `nil` if no process has waited for the command's end.
    var status: Int32?

    /// The same with a bounded number: an edited journal may have one that would overflow.
    var bounded: BackgroundCommandRun {
        var run = self
        run.number = min(max(1, number), BackgroundState.lastSequence)
        return run
    }
}

enum BackgroundCommandReason: Codable, Hashable, Sendable {
    /// No task can continue without a client.
    case allDone(counts: BackgroundCounts)
    /// A task needs a credential, and no client is attached.
    case credential(task: Int)

    private enum AllDoneCodingKeys: String, CodingKey {
        case counts = "tally"
    }

    /// The value of `FETCH_BACKGROUND_OUTCOME`.
    var outcome: String {
        switch self {
        case .allDone(let counts): counts.failed == 0 ? "success" : "failure"
        case .credential: "credential"
        }
    }
}

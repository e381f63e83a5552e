/// The life of a background session in its transfer process: what happens goes in, what is to be
/// written down and then to be done comes out.
///
/// All that outlives the process is in ``state``, which nothing but records changes. The rest is what
/// this process alone knows: the attached client, and what is being carried out.
struct BackgroundStateMachine: Sendable {
    /// The client that is attached.
    struct Attachment: Hashable, Sendable {
        let connection: Int
        let process: Int32
        /// Whether others may make tasks.
        let isWatching: Bool
        /// The events up to here may have been told before.
        let doubt: Int
        /// The last event that was handed on to the connection.
        var cursor: Int
    }

    /// What an input comes to: records first, and effects when those are on the disk.
    struct Step: Sendable {
        /// Microseconds since 1970.
        let now: Int64
        var records: [JournalRecord] = []
        var effects: [BackgroundEffect] = []
        /// Whether a task has ended.
        var endsTask = false
        /// Whether nothing is run because of that.
        var isDiscarded = false
    }

    private(set) var state: BackgroundState
    /// Which of its tasks may be started.
    var index: BackgroundTaskIndex
    var attachment: Attachment?
    /// The tasks whose transfers are under way.
    private(set) var running: Set<Int> = []
    /// Whether this is a time for transfers.
    var mayRun = true
    /// The tasks that are carried out at once, where the session's settings do not say.
    private let usualLimit: Int
    /// The tasks that are carried out at once.
    var limit: Int {
        usualLimit == 0 ? 0 : state.settings?.jobs.map { min(max(1, $0), 1_000) } ?? usualLimit
    }
    /// The tasks whose files are being moved.
    private var moving: Set<Int> = []
    /// What tasks end with as soon as it is known what is left of them.
    var awaitingPart: [Int: StoredError] = [:]

    /// What tasks have cost so far, as ``StoredMetrics`` has it.
    var metrics: [Int: String] = [:]

    /// - Parameters:
    ///   - state: what the journal says.
    ///   - limit: the tasks that are carried out at once: the others are only remembered. 0: it is
    ///     no transfer process, and only adds to what one will do.
    init(_ state: BackgroundState, limit: Int = 16) {
        self.state = state
        usualLimit = limit
        index = BackgroundTaskIndex(state.tasks)
    }

    /// Takes what a process that has just read the journal must do first.
    ///
    /// - Parameter now: microseconds since 1970.
    /// - Returns: what to write down, and to do.
    mutating func begin(at now: Int64) -> Step {
        var step = Step(now: now)
        // It may have ended the machine: running it again could do so for ever.
        if let command = state.counters.command, command.isRunning {
            note(.commandEnded(run: command.number, status: nil), &step)
        }
        for (number, task) in ordered {
            guard case .placing(let placement) = task.phase else { continue }
            moving.insert(number)
            step.effects.append(.place(task: number, placement))
        }
        schedule(at: now, &step)
        return step
    }

    /// Takes what has happened, several things at once: what follows from where all tasks stand is
    /// worked out after the last.
    ///
    /// - Parameters:
    ///   - inputs: what has.
    ///   - now: microseconds since 1970.
    /// - Returns: what to write down, and to do.
    mutating func take(_ inputs: [BackgroundInput], at now: Int64) -> Step {
        var step = Step(now: now)
        for input in inputs { take(input, &step) }
        schedule(at: now, &step)
        if attachment != nil, state.counters.offered < state.counters.lastEvent {
            note(.offered(sequence: state.counters.lastEvent), &step)
        }
        return step
    }

    private mutating func take(_ input: BackgroundInput, _ step: inout Step) {
        switch input {
        case .attach(let request): attach(request, &step)
        case .detach(let connection):
            if attachment?.connection == connection { attachment = nil }
        case .request(let request, let connection): take(request, from: connection, &step)
        case .challengeDecided(let task):
            if case .parked? = state.tasks[task]?.phase { note(.resumed(task: task), &step) }
        case .metricsCollected(let task, let metrics):
            if state.tasks[task]?.hasEnded == false { self.metrics[task] = metrics }
        case .received, .sent, .failed, .blocked, .retry, .partHandedOver, .challenged, .displaced,
            .placed:
            transfer(input, &step)
        case .commandEnded(let run, let status):
            if state.counters.command?.isRunning == true {
                note(.commandEnded(run: run, status: status), &step)
            }
        case .mayRun(let mayRun):
            self.mayRun = mayRun
        case .tick: break
        }
    }

    /// Writes a record down, and has it hold.
    mutating func note(_ record: JournalRecord, _ step: inout Step) {
        step.records.append(record)
        let task = record.task
        let before = task.flatMap { state.tasks[$0] }
        state.apply(record)
        if let task { index.change(task, from: before, to: state.tasks[task]) }
    }

    /// Tells the program something, once.
    mutating func report(_ event: BackgroundEvent, _ step: inout Step) {
        let sequence = state.counters.lastEvent + 1
        note(.event(sequence: sequence, event: event), &step)
        if attachment != nil, step.effects.last != .deliver { step.effects.append(.deliver) }
    }

    /// The transfer of a task is under way.
    mutating func begin(_ task: Int) {
        running.insert(task)
        index.endRetry(task)
    }

    /// The transfer of a task is not under way any more.
    mutating func stopped(_ task: Int) {
        guard running.remove(task) != nil, let task = state.tasks[task] else { return }
        index.offer(task.record.identifier, task)
    }

    /// Its file is, or is not any more, being moved.
    mutating func setMoving(_ task: Int, _ isMoving: Bool) {
        if isMoving { moving.insert(task) } else { moving.remove(task) }
    }

    /// Ends a task when it is known what is left of it.
    mutating func handOverPart(_ task: Int, _ error: URLError, _ step: inout Step) {
        guard awaitingPart[task] == nil else { return }
        awaitingPart[task] = StoredError(error)
        if running.contains(task) {
            stopped(task)
            step.effects.append(.stop(task: task))
        }
        step.effects.append(.handOverPart(task: task))
    }

    /// Ends a task; it is told of that.
    mutating func complete(
        _ task: Int,
        _ error: StoredError?,
        _ response: StoredResponse?,
        _ step: inout Step
    ) {
        stopped(task)
        moving.remove(task)
        awaitingPart[task] = nil
        let event = BackgroundEvent.completed(
            task: task,
            error: error,
            response: response,
            metrics: metrics.removeValue(forKey: task)
        )
        report(event, &step)
        step.endsTask = true
    }

    var ordered: [(key: Int, value: BackgroundTask)] {
        state.tasks.sorted { $0.key < $1.key }
    }
}

// What can be asked of it.
extension BackgroundStateMachine {
    /// The next event for the attached client; `nil` where there is none for now.
    ///
    /// To be called when there is room to send it: until then the event stays here, and on the
    /// disk.
    mutating func nextDelivery() -> BackgroundDelivery? {
        guard let attachment else { return nil }
        var sequence = max(attachment.cursor, state.counters.acknowledged)
        while sequence < state.counters.lastEvent {
            sequence += 1
            guard let pending = state.events[sequence], !pending.isTaken else { continue }
            self.attachment?.cursor = sequence
            return BackgroundDelivery(
                sequence: sequence,
                event: state.completed(pending.event, sequence),
                isRedelivery: sequence <= attachment.doubt
            )
        }
        self.attachment?.cursor = sequence
        return nil
    }

    /// When it wants a ``BackgroundInput/tick``, microseconds since 1970; `nil`: never.
    var wake: Int64? {
        // Those that could be started: what waits for something else than time could not.
        let mayStart = mayRun && !state.counters.isPaused && running.count < limit
        let times = mayStart ? index.retries.compactMap { state.tasks[$0]?.retryTime } : []
        return (times + [index.earliest].compactMap { $0 }).min()
    }

    /// Whether this process may end.
    ///
    /// No client is attached, nothing is under way, and nothing that could be is waited for. What
    /// has not been told waits in the journal.
    var isIdle: Bool {
        guard attachment == nil, running.isEmpty, moving.isEmpty, awaitingPart.isEmpty,
            state.counters.commandDue == nil, state.counters.command?.isRunning != true
        else { return false }
        return state.counters.isPaused || index.liveCount == 0
    }
}

extension BackgroundTask {
    /// When it is tried again; `nil` where it does not wait for that.
    var retryTime: Int64? {
        if case .active(let retry?) = phase { retry.until } else { nil }
    }
}

/// The state machine of a background session: inputs go in, records and effects come out.
///
/// ``state`` outlives the process, and only records change it. The other members belong to this process:
/// the attached client and the running transfers.
struct BackgroundStateMachine: Sendable {
    struct Attachment: Hashable, Sendable {
        let connection: Int
        let process: Int32
        /// Whether other clients may make tasks.
        let isWatching: Bool
        /// Earlier clients may have received the events up to this one.
        let doubt: Int
        /// The last event that was passed to the connection.
        var cursor: Int
    }

    /// The result of inputs: records, and effects for when the records are on the disk.
    struct Step: Sendable {
        /// Microseconds since 1970.
        let now: Int64
        var records: [JournalRecord] = []
        var effects: [BackgroundEffect] = []
        var endsTask = false
        /// Whether a client has discarded the session, so that its command is not run.
        var isDiscarded = false
    }

    private(set) var state: BackgroundState
    var index: BackgroundTaskIndex
    var step = Step(now: 0)
    var attachment: Attachment?
    private(set) var running: Set<Int> = []
    var mayRun = true
    /// The most tasks that run at once if the session's settings do not say.
    private let usualLimit: Int
    /// The most tasks that run at once; 0: this is no transfer process.
    var limit: Int {
        usualLimit == 0 ? 0 : state.settings?.jobs.map { min(max(1, $0), 1_000) } ?? usualLimit
    }
    var moving: Set<Int> = []
    /// The errors of tasks that end as soon as their part is handed over.
    var awaitingPart: [Int: StoredError] = [:]
    /// The metrics of tasks so far (``StoredMetrics``).
    var metrics: [Int: String] = [:]

    /// `limit`: the most tasks that run at once; 0: this is no transfer process, and only adds tasks.
    init(_ state: BackgroundState, limit: Int = 16) {
        self.state = state
        usualLimit = limit
        index = BackgroundTaskIndex(state.tasks)
    }

    mutating func begin(at now: Int64) -> Step {
        step = Step(now: now)
        defer { step = Step(now: now) }
        if state.counters.isFresh != nil, limit > 0 {
            var counters = state.counters
            counters.isFresh = nil
            note(.figures(figures: counters))
        }
        // The command may have turned the machine off. Running it again could repeat that for ever.
        if let command = state.counters.command, command.isRunning {
            note(.commandEnded(run: command.number, status: nil))
        }
        for (number, task) in ordered {
            guard case .placing(let placement) = task.phase else { continue }
            moving.insert(number)
            step.effects.append(.place(task: number, placement))
        }
        schedule()
        return step
    }

    /// Takes several inputs at once; scheduling follows after the last one.
    mutating func take(_ inputs: [BackgroundInput], at now: Int64) -> Step {
        step = Step(now: now)
        defer { step = Step(now: now) }
        for input in inputs { take(input) }
        schedule()
        if attachment != nil, state.counters.offered < state.counters.lastEvent {
            note(.offered(sequence: state.counters.lastEvent))
        }
        return step
    }

    /// Adds a record to the step, and applies it to the state.
    mutating func note(_ record: JournalRecord) {
        step.records.append(record)
        let task = record.task
        let before = task.flatMap { state.tasks[$0] }
        state.apply(record)
        if let task { index.change(task, from: before, to: state.tasks[task]) }
    }

    mutating func report(_ event: BackgroundEvent) {
        let sequence = state.counters.lastEvent + 1
        note(.event(sequence: sequence, event: event))
        deliver()
    }

    mutating func deliver() {
        guard attachment != nil else { return }
        if case .deliver? = step.effects.last { return }
        step.effects.append(.deliver)
    }

    mutating func begin(_ task: Int) {
        running.insert(task)
        index.retries.remove(task)
    }

    mutating func stopped(_ task: Int) {
        guard running.remove(task) != nil, let task = state.tasks[task] else { return }
        index.offer(task.record.identifier, task)
    }

    /// Notes that a task neither runs, nor is being moved, nor waits for its part.
    mutating func endTransfer(_ task: Int) {
        stopped(task)
        moving.remove(task)
        awaitingPart[task] = nil
    }

    /// Requests a task's part, and ends the task with this error when the part is handed over.
    mutating func handOverPart(_ task: Int, _ error: URLError) {
        guard awaitingPart[task] == nil else { return }
        awaitingPart[task] = StoredError(error)
        if running.contains(task) {
            stopped(task)
            step.effects.append(.stop(task: task))
        }
        step.effects.append(.handOverPart(task: task))
    }

    /// Ends a task, and adds the event of its end.
    mutating func complete(_ task: Int, _ error: StoredError?, _ response: StoredResponse?) {
        endTransfer(task)
        let metrics = self.metrics.removeValue(forKey: task)
        report(.completed(task: task, error: error, response: response, metrics: metrics))
        step.endsTask = true
    }

    var ordered: [(key: Int, value: BackgroundTask)] {
        state.tasks.sorted { $0.key < $1.key }
    }
}

// Queries.
extension BackgroundStateMachine {
    /// The next event for the attached client, if there is one; the server has room to send it.
    mutating func nextDelivery() -> BackgroundDelivery? {
        guard let attachment else { return nil }
        var sequence = max(attachment.cursor, state.counters.acknowledged)
        while sequence < state.counters.lastEvent {
            sequence += 1
            if state.events[sequence] == nil,
                state.counters.lastEvent - sequence > state.events.count
            {
                // The numbers have large gaps, as in an edited journal.
                let next = state.events.keys.filter { $0 > sequence }.min()
                sequence = next ?? state.counters.lastEvent
            }
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

    /// The time of the next ``BackgroundInput/tick``, microseconds since 1970; `nil`: none is needed.
    var wake: Int64? {
        // Only retries that could start: a task that waits for more than time could not.
        let mayStart = mayRun && !state.counters.isPaused && running.count < limit
        let times = mayStart ? index.retries.compactMap { state.tasks[$0]?.retryTime } : []
        // The deadline of a task that waits for its part has passed, and needs no further tick.
        let deadline =
            awaitingPart.isEmpty
            ? index.earliest
            : state.tasks.lazy.filter { awaitingPart[$0.key] == nil }
                .compactMap(\.value.liveDeadline).min()
        return (times + [deadline].compactMap { $0 }).min()
    }

    /// Whether this process may end: no client is attached, nothing runs, and no task is about to run.
    var isIdle: Bool {
        guard attachment == nil, running.isEmpty, moving.isEmpty, awaitingPart.isEmpty,
            state.counters.commandDue == nil, state.counters.command?.isRunning != true
        else { return false }
        return state.counters.isPaused || index.liveCount == 0
    }
}

/// The tasks that may be started, and the earliest deadline.
///
/// Each record updates the index, so no step visits all tasks.
struct BackgroundTaskIndex: Sendable {
    private struct Candidate: Comparable {
        let priority: Float
        let number: Int

        /// The most urgent task is the greatest; among equals, the one that was made first.
        static func < (one: Self, other: Self) -> Bool {
            one.priority == other.priority
                ? one.number > other.number : one.priority < other.priority
        }
    }

    /// The number of tasks that can continue without a client.
    private(set) var liveCount = 0
    var retries: Set<Int> = []
    /// The tasks to start; some may have been started or held meanwhile.
    private var candidates: [Candidate] = []
    /// Whether the candidates are in ascending order.
    private var isSorted = true
    /// The number of tasks for each deadline, microseconds since 1970.
    private var deadlines: [Int64: Int] = [:]
    private(set) var earliest: Int64?

    init(_ tasks: NumberedTable<BackgroundTask>) {
        for (number, task) in tasks { change(number, from: nil, to: task) }
    }

    mutating func change(_ number: Int, from old: BackgroundTask?, to new: BackgroundTask?) {
        liveCount += (new?.isLive == true ? 1 : 0) - (old?.isLive == true ? 1 : 0)
        let (before, after) = (old?.liveDeadline, new?.liveDeadline)
        if before != after {
            if let before { remove(before) }
            if let after { add(after) }
        }
        retries.remove(number)
        if let new { offer(number, new) }
    }

    /// Adds a task that may be started, now or as a retry.
    mutating func offer(_ number: Int, _ task: BackgroundTask) {
        guard case .active(let retry) = task.phase else { return }
        if retry == nil {
            release(number, task)
        } else {
            retries.insert(number)
        }
    }

    /// Adds a task to the candidates, such as one whose retry is due.
    mutating func release(_ number: Int, _ task: BackgroundTask) {
        retries.remove(number)
        candidates.append(Candidate(priority: task.priority, number: number))
        isSorted = false
    }

    /// Removes and returns the most urgent candidate.
    mutating func next() -> Int? {
        if !isSorted { candidates.sort() }
        isSorted = true
        return candidates.popLast()?.number
    }

    private mutating func add(_ deadline: Int64) {
        deadlines[deadline, default: 0] += 1
        earliest = min(earliest ?? deadline, deadline)
    }

    private mutating func remove(_ deadline: Int64) {
        let count = deadlines[deadline, default: 1] - 1
        deadlines[deadline] = count > 0 ? count : nil
        if count == 0, deadline == earliest { earliest = deadlines.keys.min() }
    }
}

extension JournalRecord {
    /// The task that the record changes; `nil`: none, or the ended tasks of acknowledged events.
    var task: Int? {
        switch self {
        case .made(let task): task.identifier
        case .event(_, let event): event.task
        case .resumed(let task, _), .waiting(let task, _), .parked(let task, _),
            .placing(let task, _), .placed(let task, _, _), .suspended(let task, _, _):
            task
        default: nil
        }
    }
}

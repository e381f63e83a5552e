/// Which tasks of a session may be started, and when the next one is late: kept with each record,
/// so that no step looks through thousands of tasks.
struct BackgroundTaskIndex: Sendable {
    /// A task that may be the next to start.
    private struct Candidate: Comparable {
        let priority: Float
        let number: Int

        /// The most urgent is the greatest, and of those the one that was made first.
        static func < (one: Self, other: Self) -> Bool {
            one.priority == other.priority
                ? one.number > other.number : one.priority < other.priority
        }
    }

    /// The tasks that could go on without a client.
    private(set) var liveCount = 0
    /// The tasks that wait to be tried again.
    private(set) var retries: Set<Int> = []
    /// The tasks to be started, in ascending order; some may have been started, or be held, since.
    private var candidates: [Candidate] = []
    /// Those that have come since it was put in order.
    private var added: [Candidate] = []
    /// How many tasks have each deadline, microseconds since 1970.
    private var deadlines: [Int64: Int] = [:]
    /// The earliest of them.
    private(set) var earliest: Int64?

    init(_ tasks: NumberedTable<BackgroundTask>) {
        for (number, task) in tasks { change(number, from: nil, to: task) }
    }

    /// Takes that a task has changed, come or gone.
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

    /// Takes that a task may be started, if it may.
    mutating func offer(_ number: Int, _ task: BackgroundTask) {
        guard case .active(let retry) = task.phase else { return }
        if retry == nil {
            added.append(Candidate(priority: task.priority, number: number))
        } else {
            retries.insert(number)
        }
    }

    /// Takes that a task that was to be tried again is started, or may be.
    mutating func endRetry(_ number: Int) {
        retries.remove(number)
    }

    /// Takes that a task may be tried again now.
    mutating func release(_ number: Int, _ task: BackgroundTask) {
        retries.remove(number)
        added.append(Candidate(priority: task.priority, number: number))
    }

    /// The most urgent task that may be started; it is not offered again.
    mutating func next() -> Int? {
        if added.count > 16 {
            candidates += added
            candidates.sort()
        } else {
            for candidate in added {
                candidates.insert(candidate, at: place(of: candidate))
            }
        }
        added = []
        return candidates.popLast()?.number
    }

    private func place(of candidate: Candidate) -> Int {
        var range = candidates.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if candidates[middle] < candidate {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
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

extension BackgroundTask {
    /// When it must have ended, where it may still be late: a file that is whole is not, and while it is
    /// held no clock runs.
    fileprivate var liveDeadline: Int64? {
        switch phase {
        case .active, .parked: deadline
        case .held, .placing, .ended: nil
        }
    }
}

extension JournalRecord {
    /// The task that it changes; `nil`: none, or those of all events that it acknowledges, which
    /// have ended.
    var task: Int? {
        switch self {
        case .made(let task): task.identifier
        case .resumed(let task, _): task
        case .waiting(let task, _): task
        case .parked(let task, _): task
        case .placing(let task, _): task
        case .event(_, let event): event.task
        case .suspended(let task, _, _): task
        default: nil
        }
    }
}

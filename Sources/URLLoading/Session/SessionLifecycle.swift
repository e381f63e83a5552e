/// The life cycle of a session; an event returns whether the session becomes invalid.
struct SessionLifecycle {
    enum State {
        /// → finishing, invalid
        case active
        /// The session refuses new tasks; running tasks may end. → invalid
        case finishing
        case invalid
    }

    private(set) var state = State.active
    private var made = 0
    private var live = 0

    /// The identifier of a new task, and whether the session accepts the task.
    mutating func addTask() -> (identifier: Int, isAccepted: Bool) {
        made += 1
        guard state == .active else { return (made, false) }
        live += 1
        return (made, true)
    }

    /// The identifier of a task that replaces a running one; accepted until the session is invalid.
    mutating func addSuccessor() -> Int {
        made += 1
        live += 1
        return made
    }

    /// Counts a task that already exists; returns whether the session accepts the task.
    mutating func adopt(_ identifier: Int) -> Bool {
        guard state != .invalid else { return false }
        count(upTo: identifier)
        live += 1
        return true
    }

    /// Reserves the identifiers up to this one.
    mutating func count(upTo identifier: Int) {
        // The number may come from another process, and more must follow it.
        made = max(made, min(identifier, .max / 2))
    }

    /// Releases the tasks, which continue in another process; returns whether the session becomes invalid.
    mutating func detach() -> Bool {
        guard state != .invalid else { return false }
        state = .invalid
        live = 0
        return true
    }

    mutating func taskEnded() -> Bool {
        live -= 1
        return becomeInvalidIfDone()
    }

    mutating func finishTasks() -> Bool {
        guard state == .active else { return false }
        state = .finishing
        return becomeInvalidIfDone()
    }

    private mutating func becomeInvalidIfDone() -> Bool {
        guard state == .finishing, live == 0 else { return false }
        state = .invalid
        return true
    }
}

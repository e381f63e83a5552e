/// A task whose end is not delivered.
struct BackgroundTask: Hashable, Sendable {
    /// The phase of a task, as the journal has it.
    ///
    /// Its cases are references, because each step copies the tasks beside those that it changes.
    indirect enum Phase: Hashable, Sendable {
        /// Not resumed, or suspended. → active, ended
        case held
        /// May run; with a retry, not before its time. → held, parked, placing, ended
        case active(BackgroundRetry?)
        /// It needs a credential. → held, active, ended
        case parked(ChallengeRecord)
        /// The received file is being moved to its destination. → held, placing, ended
        case placing(BackgroundPlacement)
        /// Ended, by the event with this number. → gone
        case ended(Int)
    }

    /// A record behind a reference, so that thousands of tasks are visited without copies of their records.
    private final class SharedRecord: Sendable {
        let record: BackgroundTaskRecord

        init(_ record: BackgroundTaskRecord) {
            self.record = record
        }
    }

    private var shared: SharedRecord
    /// The deadline of its end, microseconds since 1970; `nil`: none.
    private(set) var deadline: Int64?
    let priority: Float
    var phase = Phase.held
    /// The error for which the transfer process holds the task; `nil` if a client holds it, or if it is not
    /// held.
    var blocker: StoredError?
    /// The begin of the hold, microseconds since 1970; `nil` if the task is not held, or the time unknown.
    var heldSince: Int64?

    init(record: BackgroundTaskRecord) {
        shared = SharedRecord(record)
        deadline = record.deadline
        priority = record.priority
        heldSince = record.made
    }

    /// Moves the deadline by the length of the hold, which ends now; `nil`: the time is unknown.
    mutating func endHold(at time: Int64?) {
        guard let deadline, let time, let heldSince, time > heldSince else { return }
        var record = record
        record.deadline = deadline.adding(clamping: time.subtracting(clamping: heldSince))
        self.deadline = record.deadline
        shared = SharedRecord(record)
    }

    var record: BackgroundTaskRecord { shared.record }

    static func == (one: Self, other: Self) -> Bool {
        one.phase == other.phase && one.blocker == other.blocker
            && one.heldSince == other.heldSince && one.record == other.record
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(record.identifier)
    }

    /// Whether the task can continue without a client.
    var isLive: Bool {
        switch phase {
        case .active, .placing: true
        case .held, .parked, .ended: false
        }
    }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// The deadline, if it applies: a complete file is not late, and no clock runs for a held task.
    var liveDeadline: Int64? {
        switch phase {
        case .active, .parked: deadline
        case .held, .placing, .ended: nil
        }
    }

    /// The time of the next retry, microseconds since 1970; `nil` if the task does not wait for one.
    var retryTime: Int64? {
        if case .active(let retry?) = phase { retry.until } else { nil }
    }
}

/// The state of a background session's task, as clients and lists show it.
package enum BackgroundPhase: String, Codable, Sendable {
    case held
    case running
    /// Waits for a free slot, for a retry, or with the whole session.
    case waiting
    case parked
    /// Complete, and being moved to its destination.
    case finishing
    /// Ended; the end is not delivered.
    case ended
}

/// A failed attempt that is not the end of its task.
struct BackgroundRetry: Codable, Hashable, Sendable {
    /// The highest number of attempts; no task reaches it.
    static let lastAttempt = 1 << 30

    /// The attempts that have failed in a row.
    var attempts: Int
    /// The time of the next attempt, microseconds since 1970.
    var until: Int64
    var error: StoredError
}

/// The move of a file to its destination.
struct BackgroundPlacement: Codable, Hashable, Sendable {
    /// The highest number after a name; no folder reaches it.
    static let lastNumber = 1 << 30

    var file: BackgroundFile
    /// The target, an absolute path.
    var target: String
    /// The target without its number, if the server has named the file; `nil`: the task's destination.
    var name: String?
    /// The number at the target's end, if the name without a number was taken; else 0.
    var number = 0
    var replaces: Bool
    var response: StoredResponse?

    var unnumberedTarget: String {
        let end = ".\(number)"
        guard number > 0, target.endsWithBytes(of: end) else { return target }
        return String(Substring(target.utf8.dropLast(end.utf8.count)))
    }

    var placedFile: BackgroundFile {
        var placed = file
        placed.path = target
        return placed
    }
}

/// A complete file that a task has received, on the disk.
struct BackgroundFile: Codable, Hashable, Sendable {
    var path: String
    /// The device and inode identify the file.
    var device: UInt64
    var inode: UInt64
    var size: Int64
}

extension BackgroundFile {
    init(_ path: String, _ file: FileIdentity) {
        self.init(path: path, device: file.device, inode: file.inode, size: file.size)
    }

    /// Reads the status of a file; `nil` if there is none.
    init?(_ path: String) {
        guard let identity = FileStatus(path)?.identity else { return nil }
        self.init(path, identity)
    }

    /// Whether a path names this file, by device and inode.
    func isFound(at path: String) -> Bool {
        guard let found = BackgroundFile(path) else { return false }
        return found.device == device && found.inode == inode
    }

    /// Whether another program has moved or removed the file.
    var isTaken: Bool { !isFound(at: path) }
}

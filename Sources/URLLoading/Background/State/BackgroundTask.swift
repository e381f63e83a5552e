/// A task that the program has not been told the end of.
struct BackgroundTask: Hashable, Sendable {
    /// Where it stands, as far as that outlives a process.
    enum Phase: Hashable, Sendable {
        /// Not resumed, or suspended. → active, ended
        case held
        /// To be carried out, perhaps not before some time. → held, parked, placing, ended
        case active(BackgroundRetry?)
        /// It needs a credential. → held, active, ended
        case parked(ChallengeRecord)
        /// What it has received is moved to where it belongs. → held, placing, ended
        case placing(BackgroundPlacement)
        /// The event with this number says how. → gone
        case ended(Int)
    }

    /// What it is to do; shared, since a session with thousands of tasks is looked through at every
    /// iteration.
    private final class SharedRecord: Sendable {
        let record: BackgroundTaskRecord

        init(_ record: BackgroundTaskRecord) {
            self.record = record
        }
    }

    private var shared: SharedRecord
    /// When it must have ended, microseconds since 1970; `nil`: never.
    private(set) var deadline: Int64?
    let priority: Float
    var phase = Phase.held
    /// Why it is held, where the transfer process has held it by itself; `nil`: by order.
    var blocker: StoredError?
    /// Since when it is held, microseconds since 1970; `nil` where it is not, or that is not known.
    var heldSince: Int64?

    init(record: BackgroundTaskRecord) {
        shared = SharedRecord(record)
        deadline = record.deadline
        priority = record.priority
        heldSince = record.made
    }

    /// Gives it the time back in which it was held.
    ///
    /// - Parameter time: when it is resumed, microseconds since 1970; `nil`: that is not known.
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

    /// Whether it could go on without the program.
    var isLive: Bool {
        switch phase {
        case .active, .placing: true
        case .held, .parked, .ended: false
        }
    }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }
}

/// The state of a background session's task, as clients and lists show it.
package enum BackgroundPhase: String, Codable, Sendable {
    case held
    /// Under way.
    case running
    /// Until there is room for it, or until what the session waits for is there.
    case waiting
    /// For a credential.
    case parked
    /// Whole, and on its way to its destination.
    case finishing
    /// Its end has not been told.
    case ended
}

/// A failure that is not the end of a task.
struct BackgroundRetry: Codable, Hashable, Sendable {
    /// The tries that have failed in a row.
    var attempts: Int
    /// When the next one begins, microseconds since 1970.
    var until: Int64
    /// What the last one failed with.
    var error: StoredError
}

extension BackgroundRetry {
    /// No task is tried as often.
    static let lastAttempt = 1 << 30

    /// The same with a bounded number: an edited journal may have one that would overflow.
    var bounded: BackgroundRetry {
        var retry = self
        retry.attempts = min(max(0, attempts), Self.lastAttempt)
        return retry
    }
}

/// A file on its way to where it belongs.
struct BackgroundPlacement: Codable, Hashable, Sendable {
    /// What is moved.
    var file: BackgroundFile
    /// Where to, an absolute path.
    var target: String
    /// The same without a number at its end, where that is not what the task was made for.
    var name: String?
    /// The number at its end, where the name without one was taken; else 0.
    var number = 0
    /// Whether what is there is replaced.
    var replaces: Bool
    var response: StoredResponse?
}

extension BackgroundPlacement {
    /// No folder has as many files of one name.
    static let lastNumber = 1 << 30

    /// The same with a bounded number: an edited journal may have one that would overflow.
    var bounded: BackgroundPlacement {
        var placement = self
        placement.number = min(max(0, number), Self.lastNumber)
        return placement
    }
}

/// A file that a task has received, whole and on the disk.
struct BackgroundFile: Codable, Hashable, Sendable {
    /// Its absolute path.
    var path: String
    /// Which file it is.
    var device: UInt64
    var inode: UInt64
    /// Bytes.
    var size: Int64

    init(path: String, device: UInt64, inode: UInt64, size: Int64) {
        self.path = path
        self.device = device
        self.inode = inode
        self.size = size
    }

    /// Looks at a file; `nil` where there is none.
    init?(_ path: String) {
        guard let identity = FileStatus(path)?.identity else { return nil }
        self.init(
            path: path,
            device: identity.device,
            inode: identity.inode,
            size: identity.size
        )
    }

    /// Whether a path names this file, wherever it was before.
    func isFound(at path: String) -> Bool {
        guard let found = BackgroundFile(path) else { return false }
        return found.device == device && found.inode == inode
    }

    /// Whether it is no longer where it was left: another program has moved or removed it.
    var isTaken: Bool { !isFound(at: path) }
}

import Dispatch
import Glibc
import Synchronization

/// Keeps a value in a file, and writes it on request.
protocol StateWriter: AnyObject, Sendable {
    /// Locked while it writes: a slow file, such as a FIFO, delays no other writer.
    var writeLock: WriteLock { get }

    /// Writes what has changed; called by one thread at a time, and may wait for the disk.
    func writeChanges()
}

/// The lock of one writer.
final class WriteLock: Sendable {
    let lock = Mutex(())
}

/// The changes of this process since it last wrote: the last value of each key, in the order of
/// first mention.
struct StateChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var keys: [Key] = []
    private var values: [Key: Value?] = [:]

    var isEmpty: Bool { keys.isEmpty }

    /// The last change of a key: a value, or its removal; `nil` without a change.
    func change(of key: Key) -> Value?? { values[key] }

    /// Says what a key has; `nil`: nothing any more.
    mutating func note(_ key: Key, _ value: Value?) {
        if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }

    /// Adds earlier changes of keys that these changes do not have.
    mutating func putBack(_ earlier: StateChanges) {
        let later = self
        self = earlier
        for key in later.keys {
            if let value = later.values[key] { note(key, value) }
        }
    }
}

/// An owner of state to write: it is written a moment after it has changed, or when a caller wants
/// it written, or when the process ends.
///
/// Nothing is made, and nothing runs, before something has changed.
enum PendingWrites {
    /// How long a change waits for others.
    private static let delay: DispatchTimeInterval = .seconds(1)
    /// A writer waits for the disk, and for other processes that write the same file.
    private static let queue = SerialQueue("PendingWrites")
    private static let writers = Mutex<[ObjectIdentifier: any StateWriter]>([:])
    /// Has them write where the process ends as processes do; once.
    private static let atExit: Void = {
        atexit {
            for writer in PendingWrites.writers.withLock({ Array($0.values) }) {
                PendingWrites.flush(writer)
            }
        }
    }()

    /// Something of this writer's has changed.
    static func note(_ writer: any StateWriter) {
        _ = atExit
        let isFirst = writers.withLock { writers in
            writers.updateValue(writer, forKey: ObjectIdentifier(writer)) == nil
        }
        guard isFirst else { return }
        queue.dispatch.asyncAfter(deadline: .now() + delay) {
            flush(writer)
        }
    }

    /// Has it write, if it has anything to; back when that is done, by whichever thread.
    static func flush(_ writer: any StateWriter) {
        writer.writeLock.lock.withLock { _ in
            let isWanted = writers.withLock { writers in
                writers.removeValue(forKey: ObjectIdentifier(writer)) != nil
            }
            if isWanted { writer.writeChanges() }
        }
    }
}

import Dispatch
import Glibc
import Synchronization

/// Stores a value in a file, and writes it on request.
protocol StateWriter: AnyObject, Sendable {
    /// Locked during a write; one lock for each writer, so that a slow file, such as a FIFO, delays no
    /// other.
    var writeLock: WriteLock { get }

    /// Whether changes are not yet written, also after a failed write.
    var hasChanges: Bool { get }

    /// Writes the changes; called by one thread at a time, and may wait for the disk.
    func writeChanges()
}

final class WriteLock: Sendable {
    let lock = Mutex(())
}

/// The changes since the last write: the last value of each key, in the order of the first change.
struct StateChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var keys: [Key] = []
    private var values: [Key: Value?] = [:]

    var isEmpty: Bool { keys.isEmpty }

    /// Each key with its new value; `nil`: removed.
    var all: [(key: Key, value: Value?)] { keys.map { ($0, values[$0] ?? nil) } }

    /// Notes the new value of a key; `nil`: removed.
    mutating func note(_ key: Key, _ value: Value?) {
        if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }

    /// Removes and returns all changes.
    mutating func take() -> StateChanges {
        defer { self = StateChanges() }
        return self
    }

    /// Adds earlier changes, for keys without a later change.
    mutating func putBack(_ earlier: StateChanges) {
        let later = self
        self = earlier
        for (key, value) in later.all { note(key, value) }
    }
}

/// Writes changed state a second after a change, on request, or when the process exits.
///
/// Before the first change, this creates no object and runs no code.
enum PendingWrites {
    /// How long a change waits for further ones.
    private static let delay: DispatchTimeInterval = .seconds(1)
    /// A write may wait for the disk, and for other processes that write the same file.
    private static let queue = SerialQueue("PendingWrites")
    private static let writers = Mutex<[ObjectIdentifier: any StateWriter]>([:])
    /// Makes all writers write at a normal exit of the process; registered once.
    private static let atExit: Void = {
        atexit {
            for writer in PendingWrites.writers.withLock({ Array($0.values) }) {
                PendingWrites.flush(writer)
            }
        }
    }()

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

    /// Writes a writer's changes, if any, and with `retries` those of a failed write; returns afterwards.
    static func flush(_ writer: any StateWriter, retries: Bool = false) {
        writer.writeLock.lock.withLock { _ in
            let isWanted = writers.withLock { writers in
                writers.removeValue(forKey: ObjectIdentifier(writer)) != nil
            }
            if isWanted || retries && writer.hasChanges { writer.writeChanges() }
        }
    }
}

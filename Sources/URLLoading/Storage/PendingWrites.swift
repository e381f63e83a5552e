import Dispatch
import Glibc
import Synchronization

/// Who has something to write: it is written a moment after it has changed, or when somebody wants
/// it written, or when the process ends.
///
/// Nothing is made, and nothing runs, before something has changed.
enum PendingWrites {
    /// How long a change waits for others.
    private static let delay: DispatchTimeInterval = .seconds(1)
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
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) {
            flush(writer)
        }
    }

    /// Has it write, if it has anything to; back when that is done, by whichever thread.
    static func flush(_ writer: any StateWriter) {
        writer.turn.lock.withLock { _ in
            let isWanted = writers.withLock { writers in
                writers.removeValue(forKey: ObjectIdentifier(writer)) != nil
            }
            if isWanted { writer.writeChanges() }
        }
    }
}

import Dispatch
import Synchronization

@testable import URLLoading

/// A host, with what was put around it.
final class BackgroundStage: Sendable {
    let queue = SerialQueue("host")
    let transfers = ScriptedTransfers()
    let commands = Mutex<[BackgroundCommand]>([])
    /// What a discretionary session waits for, now.
    let waits = Mutex<[DiscretionaryConditions.Wait]>([])
    let hasEnded = Mutex(false)
    /// Gone with the host's end, as all is with a process's.
    let host = Mutex<BackgroundHost?>(nil)

    /// Begins to carry a session out.
    func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ book: consuming BackgroundBook,
        _ surroundings: BackgroundSurroundings
    ) throws(BackgroundError) {
        try BackgroundHost.begin(
            folder,
            lock,
            book,
            on: queue,
            transfers,
            surroundings,
            made: { made in host.withLock { $0 = made } },
            ended: { [self] in
                hasEnded.withLock { $0 = true }
                host.withLock { $0 = nil }
            }
        )
    }

    func report(_ input: BackgroundInput) {
        host.withLock { $0 }?.post { $0.report(input) }
    }

    /// Looks at the host, on its queue; `nil` where it is gone.
    @discardableResult
    func look<Value: Sendable>(_ question: (isolated BackgroundHost) -> Value) -> Value? {
        host.withLock { $0 }?.assumeIsolated(question)
    }

    /// Dies: nothing is put in order.
    func kill() {
        queue.sync { die() }
    }

    /// The same, on the host's queue.
    func die() {
        look { host in
            // It would remove the name of the next one's.
            host.listener?.close()
            for guest in host.visitors.values { guest.connection.close() }
        }
        host.withLock { $0 = nil }
    }
}

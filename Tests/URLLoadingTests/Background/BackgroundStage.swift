import Dispatch
import Synchronization

@testable import URLLoading

/// A host, with what was put around it.
final class BackgroundStage: Sendable {
    let queue = DispatchQueue(label: "host")
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
        queue.async { [self] in host.withLock { $0 }?.report(input) }
    }

    /// Dies: nothing is put in order.
    func kill() {
        queue.sync { die() }
    }

    /// The same, on the host's queue.
    func die() {
        host.withLock { host in
            // It would remove the name of the next one's.
            host?.listener?.close()
            for guest in host?.visitors.values ?? [:].values { guest.connection.close() }
            host = nil
        }
    }
}

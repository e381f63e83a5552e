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
    let host = Mutex<BackgroundServer?>(nil)

    /// Begins to carry a session out.
    func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ journaled: consuming JournaledState,
        _ environment: ServerEnvironment,
        socket: String? = nil
    ) throws(BackgroundError) {
        try BackgroundServer.begin(
            folder,
            lock,
            journaled,
            on: queue,
            transfers,
            environment,
            socket: socket,
            made: { made in host.withLock { $0 = made } },
            ended: { [self] in
                hasEnded.withLock { $0 = true }
                host.withLock { $0 = nil }
            }
        )
    }

    func report(_ input: BackgroundInput) {
        queue.async { [self] in look { $0.report(input) } }
    }

    /// Looks at the host, on its queue; `nil` where it is gone.
    @discardableResult
    func look<Value: Sendable>(_ question: (isolated BackgroundServer) -> Value) -> Value? {
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
            for guest in host.connections.values { guest.connection.close() }
        }
        host.withLock { $0 = nil }
    }
}

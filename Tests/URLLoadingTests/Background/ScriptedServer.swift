import Dispatch
import Synchronization

@testable import URLLoading

/// A server, with what was put around it.
final class ScriptedServer: Sendable {
    let queue = SerialQueue("server")
    let transfers = ScriptedTransfers()
    let commands = Mutex<[BackgroundCommand]>([])
    /// What a discretionary session waits for, now.
    let waits = Mutex<[DiscretionaryConditions.Wait]>([])
    let hasEnded = Mutex(false)
    /// Gone with the server's end, as all is with a process's.
    let server = Mutex<BackgroundServer?>(nil)

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
            made: { made in server.withLock { $0 = made } },
            ended: { [self] in
                hasEnded.withLock { $0 = true }
                server.withLock { $0 = nil }
            }
        )
    }

    func report(_ input: BackgroundInput) {
        queue.async { [self] in look { $0.report(input) } }
    }

    /// Looks at the server, on its queue; `nil` where it is gone.
    @discardableResult
    func look<Value: Sendable>(_ question: (isolated BackgroundServer) -> Value) -> Value? {
        server.withLock { $0 }?.assumeIsolated(question)
    }

    /// Dies: nothing is put in order.
    func kill() {
        queue.sync { crash() }
    }

    /// The same, on the server's queue.
    func crash() {
        look { server in
            // It would remove the name of the next one's.
            server.listener?.close()
            for client in server.connections.values { client.connection.close() }
        }
        server.withLock { $0 = nil }
    }
}

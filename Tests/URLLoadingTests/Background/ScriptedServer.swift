import Dispatch
import Synchronization

@testable import URLLoading

/// A server with scripted transfers and a scripted environment.
final class ScriptedServer: Sendable {
    let queue = SerialQueue("server")
    let transfers = ScriptedTransfers()
    let commands = Mutex<[BackgroundCommand]>([])
    /// The conditions for which a discretionary session waits now.
    let waits = Mutex<[DiscretionaryConditions.Wait]>([])
    let hasEnded = Mutex(false)
    /// The server; `nil` after its end, as after the end of a process.
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
        queue.async { [self] in inspect { $0.report(input) } }
    }

    /// Calls the server, on its queue; `nil` if the server has ended.
    @discardableResult
    func inspect<Value: Sendable>(_ question: (isolated BackgroundServer) -> Value) -> Value? {
        server.withLock { $0 }?.assumeIsolated(question)
    }

    /// Crashes the server, without an orderly end.
    func kill() {
        queue.sync { crash() }
    }

    /// Crashes the server; call it on the server's queue.
    func crash() {
        inspect { server in
            // Closed now: later, the listener would remove the next server's socket.
            server.listener?.close()
            for client in server.connections.values { client.connection.close() }
        }
        server.withLock { $0 = nil }
    }
}

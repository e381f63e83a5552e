import Synchronization

/// The record of a `SocketServer`, shared by its threads.
final class SocketServerLog: Sendable {
    private struct State {
        var heads: [HTTPHead] = []
        var errors: [any Error] = []
        var connectionCount = 0
        var open: [Int: SocketConnection] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    var heads: [HTTPHead] { state.withLock { $0.heads } }
    var errors: [any Error] { state.withLock { $0.errors } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Counts a connection; `nil` once stopped.
    func open(_ descriptor: consuming Descriptor) -> SocketConnection? {
        let number = state.withLock { state in
            state.connectionCount += 1
            return state.connectionCount - 1
        }
        let connection = SocketConnection(descriptor, number: number) { [weak self] head in
            self?.state.withLock { $0.heads.append(head) }
        }
        return state.withLock { state in
            if state.isStopped { return nil }
            state.open[number] = connection
            return connection
        }
    }

    /// Removes a connection whose closure has returned.
    func close(_ connection: SocketConnection) {
        state.withLock { $0.open[connection.number] = nil }
    }

    /// Records an error that a closure threw.
    func note(_ error: any Error) {
        state.withLock { $0.errors.append(error) }
    }

    /// Ends every open connection, and all later ones.
    func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open.values
        }
        for connection in open { connection.abort() }
    }
}

import Synchronization

/// The requests of a control client, one at a time; each blocks the caller until its reply.
struct BackgroundConversation: Sendable {
    let client: BackgroundClient
    private let events = Events()

    /// Connects; returns whether a transfer process is connected.
    ///
    /// If not, the client's `unlocked` closure has done the work, or the session does not exist.
    func begin() throws(BackgroundError) -> Bool {
        client.sync { [events] client in client.connect { events.add($0) } }
        switch events.next() {
        case .connected: return true
        case .unlocked, .absent, .attached, .reply: return false
        case .lost(let reason): throw .disconnected(reason)
        case .failed(let error): throw error
        }
    }

    func end() {
        client.sync { $0.close() }
    }

    /// Sends a request, and waits until its changes are on the disk.
    func request(_ request: BackgroundRequest) throws(BackgroundError) {
        switch try reply(to: request) {
        case .done(nil): break
        case .done(let error?): throw .reported(error.urlError)
        case let other: throw Self.unexpected(other)
        }
    }

    /// Makes tasks, as many in a request as fit; on an error, tasks that were made before are cancelled.
    func make(
        _ records: [BackgroundTaskRecord],
        _ settings: BackgroundSettings
    ) throws(BackgroundError) {
        var made: [Int] = []
        do throws(BackgroundError) {
            var rest = records[...]
            while !rest.isEmpty {
                let batch = BackgroundBatch.first(of: rest)
                switch try reply(to: .make(tasks: Array(batch), settings: settings)) {
                case .made(let tasks): made += tasks
                case .refused(_, let code, let detail):
                    throw .reported(URLError(URLError.Code(rawValue: code), detail: detail))
                case let other: throw Self.unexpected(other)
                }
                rest = rest.dropFirst(batch.count)
            }
        } catch {
            // Earlier requests have made tasks, which may have begun.
            if !made.isEmpty { try? request(.cancel(tasks: made)) }
            throw error
        }
    }

    /// Asks for the session's status, with its tasks.
    func status() throws(BackgroundError) -> BackgroundStatus {
        switch try reply(to: .status) {
        case .status(let status): return status
        case let other: throw Self.unexpected(other)
        }
    }

    /// Sends a request, and waits for its reply.
    private func reply(to request: BackgroundRequest) throws(BackgroundError) -> BackgroundReply {
        let isSent = client.sync { (try? $0.send(request, isWaiting: true)) != nil }
        guard isSent else { throw .refused("a request is too long for a background session") }
        switch events.next() {
        case .reply(let reply): return reply
        case .failed(let error): throw error
        case .lost(let reason): throw .disconnected(reason)
        case .connected, .attached, .unlocked, .absent: throw .disconnected("it has ended")
        }
    }

    private static func unexpected(_ reply: BackgroundReply) -> BackgroundError {
        .disconnected("unexpected reply \(reply)")
    }

    private final class Events: Sendable {
        private let state = Mutex(
            (events: [BackgroundClient.Event](), arrival: BlockingWait<Void>())
        )

        func add(_ event: BackgroundClient.Event) {
            state.withLock { state in
                state.events.append(event)
                state.arrival.end(())
            }
        }

        /// The next event; the client's timeout bounds the wait.
        func next() -> BackgroundClient.Event {
            let arrival = state.withLock { $0.events.isEmpty ? $0.arrival : nil }
            arrival?.wait()
            return state.withLock { state in
                state.arrival = BlockingWait()
                return state.events.removeFirst()
            }
        }
    }
}

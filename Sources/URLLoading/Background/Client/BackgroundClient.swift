import FoundationEssentials
import Glibc

/// A client's connection to the transfer process of a session. It finds or starts that process.
///
/// ``BackgroundAttachment`` has one for the life of its session, ``BackgroundControl`` one for each
/// request. It shares the queue of its owner. No call blocks: the search repeats its steps after pauses.
/// docs/background.md, "Connecting, and its races", has the steps.
actor BackgroundClient: QueueActor {
    /// Events for the owner, on the queue.
    enum Event: Sendable {
        /// The control client is connected.
        case connected
        /// The client is attached; the status has all tasks.
        case attached(BackgroundStatus)
        /// A reply; a status has the tasks that were asked for.
        case reply(BackgroundReply)
        /// The connection was lost, for this reason; ``connect(_:handler:)`` makes the next one.
        case lost(String)
        /// The session does not exist, and must not be made.
        case absent(BackgroundIdentifier)
        /// No process had the session's lock: the owner has done its work without a transfer process.
        case unlocked
        case failed(BackgroundError)
    }

    /// Called with the session's lock if no other process has it; returns whether a process was started.
    typealias Unlocked =
        @Sendable (consuming BackgroundFolder, consuming BackgroundLock)
        throws(BackgroundError) -> Bool

    private enum Phase {
        /// No connection, and no search. → searching
        case idle
        /// The search for the transfer process runs. → handshaking, idle
        case searching
        /// The server has not sent its handshake. → attaching, connected, searching, idle
        case handshaking
        /// The server has not sent all tasks. → connected, searching, idle
        case attaching
        /// → idle
        case connected
    }

    /// The most transfer processes that one search starts.
    private static let startLimit = 2
    /// The first and the longest pause between two steps of the search, seconds.
    private static let pauses = (first: 0.005, longest: 0.2)

    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let identifier: BackgroundIdentifier
    private let root: String
    private let purpose: BackgroundHandshake.Purpose
    private let makes: Bool
    /// The limit of the search, and of each awaited reply.
    private let timeout: Duration
    private let unlocked: Unlocked
    private var handler: (@Sendable (Event) -> Void)?

    private var phase = Phase.idle
    private(set) var connection: BackgroundConnection?
    private var cursor: BackgroundCursor?
    private var deadline = MonotonicInstant.now
    private var pause = pauses.first
    private var starts = 0
    /// The reason why the last connection ended.
    private var reason: String?
    /// The tasks of a status, of which further pages or the status follow.
    private var pages: [BackgroundStatus.Task] = []
    private var isWaiting = false
    /// The number of the last wait; the timers of earlier waits have no effect.
    private var waits = 0

    init(
        _ identifier: BackgroundIdentifier,
        in root: String,
        for purpose: BackgroundHandshake.Purpose,
        makes: Bool,
        timeout: Duration,
        queue: SerialQueue,
        unlocked: @escaping Unlocked
    ) {
        self.identifier = identifier
        self.root = root
        self.purpose = purpose
        self.makes = makes
        self.timeout = timeout
        self.queue = queue
        self.unlocked = unlocked
    }

    /// Searches for the transfer process, and connects or attaches to it.
    nonisolated func connect(
        _ cursor: BackgroundCursor? = nil,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        assumeIsolated { client in
            client.cursor = cursor
            client.handler = handler
            client.phase = .searching
            client.deadline = .now + client.timeout
            (client.pause, client.starts, client.reason) = (Self.pauses.first, 0, nil)
            client.search()
        }
    }

    /// Sends a request; a client that is waiting fails without a reply in time.
    nonisolated func send(
        _ request: BackgroundRequest,
        isWaiting: Bool = false
    ) throws(FrameError) {
        let outcome = assumeIsolated { client in
            Result { () throws(FrameError) in
                try client.connection?.send(request)
                if isWaiting { client.wait() }
            }
        }
        try outcome.get()
    }

    nonisolated func setReading(_ isReading: Bool) {
        assumeIsolated { $0.connection?.setReading(isReading) }
    }

    /// Ends the connection and the search; the owner gets no further event.
    nonisolated func close() { assumeIsolated { $0.end() } }

    private func end() {
        phase = .idle
        isWaiting = false
        handler = nil
        connection?.close()
        connection = nil
    }

    private func end(_ event: Event) {
        let handler = handler
        end()
        handler?(event)
    }

    private func search() {
        guard phase == .searching else { return }
        do throws(BackgroundError) {
            guard MonotonicInstant.now < deadline else {
                if let reason { throw .disconnected(reason) }
                throw .disconnected(try Self.holder(of: identifier, in: root))
            }
            let found = try Self.find(identifier, in: root, makes: makes, hasStarted: starts > 0)
            switch consume found {
            case .none: searchLater()
            case .absent: end(.absent(identifier))
            case .free(let folder, let lock):
                guard starts < Self.startLimit else {
                    throw .executable("it ended twice before a connection was possible")
                }
                starts += 1
                guard try unlocked(folder, lock) else { return end(.unlocked) }
                // The new process may take a while to read the journal.
                deadline = max(deadline, .now + timeout)
                searchLater()
            case .alive(let socket): sendHandshake(socket)
            }
        } catch {
            end(.failed(error))
        }
    }

    private func searchLater() {
        post(after: pause) { $0.search() }
        pause = min(pause * 2, Self.pauses.longest)
    }

    private func sendHandshake(_ socket: PeerSocket) {
        let connection = BackgroundConnection(socket, queue: queue)
        self.connection = connection
        phase = .handshaking
        connection.begin { [weak self, weak connection] event in
            self?.assumeIsolated { client in
                guard let connection, connection === client.connection else { return }
                client.take(event)
            }
        }
        try? connection.send(
            BackgroundHandshake(
                identifier: identifier.text,
                process: getpid(),
                purpose: purpose,
                cursor: cursor
            )
        )
        wait()
    }

    /// Starts the timeout of the next frame; each page of a reply has the whole time.
    private func wait() {
        isWaiting = true
        waits += 1
        post(after: timeout / .seconds(1)) { [waits] client in
            guard client.isWaiting, client.waits == waits, let server = client.connection?.process
            else { return }
            client.end(.failed(.disconnected("process \(server) does not respond")))
        }
    }

    private func take(_ event: BackgroundConnection.Event) {
        switch event {
        case .frame(let frame): take(Data(frame))
        case .room: break
        case .end(let reason): takeLoss(reason)
        }
    }

    private func takeLoss(_ reason: String) {
        self.reason = reason
        connection?.close()
        connection = nil
        isWaiting = false
        pages = []
        guard phase != .connected else {
            phase = .idle
            handler?(.lost(reason))
            return
        }
        // The transfer process was just ending: its lock is free in a moment.
        phase = .searching
        searchLater()
    }

    private func take(_ frame: Data) {
        if isWaiting { wait() }
        guard phase == .handshaking else {
            guard let reply = try? JSONDecoder().decode(BackgroundReply.self, from: frame) else {
                return end(.failed(.disconnected("malformed reply from the transfer process")))
            }
            return take(reply)
        }
        guard let peerHandshake = try? JSONDecoder().decode(BackgroundHandshake.self, from: frame)
        else {
            return end(.failed(.disconnected("malformed handshake from the transfer process")))
        }
        if let blocker = peerHandshake.blocker(identifier: identifier.text) {
            return end(.failed(blocker))
        }
        guard purpose == .control else {
            phase = .attaching
            return
        }
        phase = .connected
        handler?(.connected)
    }

    /// Passes on a reply; the tasks of a status precede it, in pages.
    private func take(_ reply: BackgroundReply) {
        if phase == .attaching || purpose == .control, case .tasks(let tasks) = reply {
            pages += tasks
            return
        }
        isWaiting = false
        switch reply {
        case .attached(let status):
            phase = .connected
            handler?(.attached(whole(status)))
        case .status(let status): handler?(.reply(.status(status: whole(status))))
        case .inUse(let process): end(.failed(.inUse(process: process)))
        case .done(let error?) where phase == .attaching: end(.failed(.reported(error.urlError)))
        default: handler?(.reply(reply))
        }
    }

    private func whole(_ status: BackgroundStatus) -> BackgroundStatus {
        var status = status
        status.tasks = pages.sorted { $0.record.identifier < $1.record.identifier }
        pages = []
        return status
    }
}

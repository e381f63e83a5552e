import Dispatch
import FoundationEssentials
import Glibc

/// A client's connection to the transfer process of a session: found or started, and spoken to.
///
/// The one client of the socket: ``BackgroundAttachment`` has one for as long as its session lives,
/// ``BackgroundControl`` one for a request. It shares the queue of its owner, which calls it
/// without waiting; nothing here waits, what is not yet so is looked at again a while later.
/// docs/background.md, "Connecting, and its races", has the steps.
actor BackgroundClient: QueueActor {
    /// What its owner is told, on the queue.
    enum Event: Sendable {
        /// The handshake is done: requests can be sent.
        case connected
        case reply(BackgroundReply)
        /// The connection has ended, and why; ``connect(again:)`` makes the next.
        case lost(String)
        /// There is no session, and none was to be made.
        case absent(BackgroundIdentifier)
        /// No process has the session's lock, and none was started: the owner has done what it
        /// wanted.
        case unlocked
        /// The session cannot be used, and why.
        case failed(BackgroundError)
    }

    /// What a client does where no process has the session's lock.
    ///
    /// - Returns: whether it has started a transfer process, and wants to connect to that.
    typealias Unlocked =
        @Sendable (consuming BackgroundFolder, consuming BackgroundLock)
        throws(BackgroundError) -> Bool

    /// Where the connection stands.
    private enum Phase {
        /// There is none. → looking
        case idle
        /// The session's process is looked for. → handshaking, idle
        case looking
        /// The server has not sent its handshake. → connected, looking, idle
        case handshaking
        /// → idle
        case connected
    }

    /// How often a transfer process is started at most, before one has replied.
    private static let startLimit = 2
    /// The first time between two looks, and the longest, seconds.
    private static let pauses = (first: 0.005, longest: 0.2)

    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let identifier: BackgroundIdentifier
    private let root: String
    private let purpose: BackgroundHandshake.Purpose
    private let makes: Bool
    private let timeout: Duration
    private let unlocked: Unlocked
    private var handler: (@Sendable (Event) -> Void)?

    private var phase = Phase.idle
    private var connection: BackgroundConnection?
    private var cursor: BackgroundCursor?
    /// When a search is given up.
    private var deadline = MonotonicInstant.now
    private var pause = pauses.first
    /// The transfer processes that were started in this search.
    private var starts = 0
    /// Why the last connection has ended.
    private var reason: String?
    /// Whether a reply is waited for.
    private var isWaiting = false
    /// Which of the waits is the last.
    private var waits = 0

    /// - Parameters: - identifier: the session. - root: where the folders of sessions are. -
    ///   purpose: what it connects for. - makes: whether a session is made where there is none. -
    ///   timeout: for how long a transfer process is looked for, and for how long each reply may
    ///   take that is waited for. - queue: its owner's. - unlocked: what it does where no process
    ///   has the session's lock.
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

    /// Looks for the transfer process, and connects to it.
    ///
    /// - Parameters: - cursor: how far the client has been told of events. - isAgain: whether this
    ///   goes on with a search whose connection was lost before it was of use: its deadline stays.
    ///   - handler: takes what happens, on the queue.
    nonisolated func connect(
        _ cursor: BackgroundCursor? = nil,
        again isAgain: Bool = false,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        assumeIsolated { client in
            client.cursor = cursor
            client.handler = handler
            client.phase = .looking
            guard !isAgain else { return client.lookLater() }
            client.deadline = .now + client.timeout
            client.pause = Self.pauses.first
            (client.starts, client.reason) = (0, nil)
            client.look()
        }
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isWaiting: whether its reply is waited for: without one in time the client fails.
    /// - Throws: `tooLong`.
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

    /// Waits for a reply no longer.
    nonisolated func endWaiting() { assumeIsolated { $0.isWaiting = false } }

    /// Reads replies, or leaves them where they are for now.
    nonisolated func setReading(_ isReading: Bool) {
        assumeIsolated { client in
            guard let connection = client.connection else { return }
            if isReading { connection.resumeReading() } else { connection.pauseReading() }
        }
    }

    /// Takes what has come already, before the kernel's event for it.
    nonisolated func catchUp() { assumeIsolated { $0.connection?.catchUp() } }

    /// The transfer process that it is connected to.
    nonisolated var server: Int32? { assumeIsolated { $0.connection?.peer.process } }

    /// Ends the connection, and the search; its owner is told nothing more.
    nonisolated func close() { assumeIsolated { $0.end() } }

    private func end() {
        phase = .idle
        isWaiting = false
        handler = nil
        connection?.close()
        connection = nil
    }

    /// Ends it, and tells its owner.
    private func end(_ event: Event) {
        let handler = handler
        end()
        handler?(event)
    }

    private func look() {
        guard phase == .looking else { return }
        do throws(BackgroundError) {
            guard MonotonicInstant.now < deadline else {
                if let reason { throw .disconnected(reason) }
                throw .disconnected(try Search.words(identifier, in: root))
            }
            let found = try Search.look(
                identifier,
                in: root,
                makes: makes,
                hasStarted: starts > 0
            )
            switch consume found {
            case .none: lookLater()
            case .absent: end(.absent(identifier))
            case .free(let folder, let lock):
                guard starts < Self.startLimit else {
                    throw .executable("it has ended twice before it could be spoken to")
                }
                starts += 1
                guard try unlocked(folder, lock) else { return end(.unlocked) }
                // What it has to read first may take its time.
                deadline = max(deadline, .now + timeout)
                lookLater()
            case .alive(let socket): sendHandshake(socket)
            }
        } catch {
            end(.failed(error))
        }
    }

    private func lookLater() {
        post(after: pause) { $0.look() }
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

    /// Gives the next frame as long as the time-out says: of a reply in many pages, each one.
    private func wait() {
        isWaiting = true
        waits += 1
        post(after: timeout / .seconds(1)) { [waits] client in
            guard client.isWaiting, client.waits == waits, let server = client.connection?.peer
            else { return }
            client.end(.failed(.disconnected("process \(server.process) does not answer")))
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
        guard phase == .handshaking else {
            phase = .idle
            handler?(.lost(reason))
            return
        }
        // The process was just ending: its lock is free in a moment.
        phase = .looking
        lookLater()
    }

    private func take(_ frame: Data) {
        if isWaiting { wait() }
        guard phase == .handshaking else {
            guard let reply = try? JSONDecoder().decode(BackgroundReply.self, from: frame) else {
                return end(.failed(.disconnected("malformed reply from the transfer process")))
            }
            handler?(.reply(reply))
            return
        }
        guard let theirs = try? JSONDecoder().decode(BackgroundHandshake.self, from: frame) else {
            return end(.failed(.disconnected("malformed handshake from the transfer process")))
        }
        if let blocker = theirs.blocker(identifier: identifier.text) {
            return end(.failed(blocker))
        }
        phase = .connected
        handler?(.connected)
    }
}

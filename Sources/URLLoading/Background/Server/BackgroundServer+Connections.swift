import Dispatch
import FoundationEssentials
import Glibc

// Clients connect, and disconnect.
extension BackgroundServer {
    func take(_ socket: PeerSocket) {
        lastConnection += 1
        // The client that the server was started for has come.
        idleDeadline = .now()
        let number = lastConnection
        let connection = BackgroundConnection(socket, queue: queue)
        connections[number] = ClientConnection(number, connection)
        connection.begin { [weak self] event in
            self?.assumeIsolated { $0.take(event, from: number) }
        }
        post(after: Self.handshakeTimeout) { server in
            if let client = server.connections[number], client.purpose == nil {
                server.disconnect(number)
            }
        }
    }

    /// How long a client may take for its handshake, seconds.
    private static let handshakeTimeout = 5.0

    /// Disconnects a client.
    func disconnect(_ number: Int) {
        connections.removeValue(forKey: number)?.connection.close()
        report(.detach(connection: number))
    }

    private func take(_ event: BackgroundConnection.Event, from number: Int) {
        switch event {
        case .frame(let frame): take(Data(frame), from: number)
        case .room:
            guard let client = connections[number] else { return }
            client.listen()
            // A send may make room at once: what sends goes on by itself.
            guard !client.isSending else { return }
            sendPages(to: client)
            if attached?.number == number {
                announceIfOutdated()
                deliver()
            }
        case .end:
            connections[number] = nil
            report(.detach(connection: number))
        }
    }
}

// What clients send.
extension BackgroundServer {
    private func take(_ frame: Data, from number: Int) {
        guard let client = connections[number] else { return }
        guard client.purpose != nil else { return takeHandshake(frame, client) }
        guard let request = try? JSONDecoder().decode(BackgroundRequest.self, from: frame) else {
            return disconnect(number)
        }
        take(request, from: client)
    }

    private func takeHandshake(_ frame: Data, _ client: ClientConnection) {
        let identifier = folder.identifier.text
        // Also to a client of another version: it finds out by this.
        try? client.connection.send(BackgroundHandshake(identifier: identifier, process: getpid()))
        guard let theirs = try? JSONDecoder().decode(BackgroundHandshake.self, from: frame),
            theirs.blocker(identifier: identifier) == nil, let purpose = theirs.purpose
        else { return disconnect(client.number) }
        client.purpose = purpose
        guard purpose != .control else { return }
        // It may be the same program, which has disconnected before: its end is read first.
        attached?.connection.catchUp()
        let events = journaled.machine.state.events
        let taken = events.filter { $0.value.event.file?.isTaken == true }
        report(
            .attach(
                AttachRequest(
                    connection: client.number,
                    process: client.connection.peer.process,
                    cursor: theirs.cursor,
                    taken: Set(taken.map(\.key)),
                    isWatching: purpose == .watch
                )
            )
        )
    }

    private func take(_ request: BackgroundRequest, from client: ClientConnection) {
        switch request {
        case .make(let tasks, let settings): make(tasks, settings, client)
        case .status: list(for: client)
        case .summary: if let status { client.send(.status(status: status)) }
        case .answer(let task, let disposition, let user, let password, let identity, let place):
            // The task may have met another server since the delegate was asked.
            guard case .parked(let challenge)? = journaled.machine.state.tasks[task]?.phase,
                place?.place == challenge.place
            else { return }
            // A credential is never written down.
            transfers.decide(
                task,
                about: challenge,
                disposition: disposition,
                user: user,
                password: password,
                identity: identity
            )
            report(.challengeDecided(task: task))
        default: report(.request(request, from: client.number))
        }
    }
}

// What clients are told of all tasks: a page at a time, as there is room.
extension BackgroundServer {
    /// Sends all tasks to a client, and then the session's status.
    func list(for client: ClientConnection) {
        client.pages.append(journaled.machine.state.tasks.keys.sorted()[...])
        sendPages(to: client)
    }

    private func sendPages(to client: ClientConnection) {
        client.isSending = true
        while let rest = client.pages.first, !client.connection.isFull {
            let page = self.page(rest)
            client.pages[0] = rest.dropFirst(page.count)
            if !page.tasks.isEmpty { client.send(.tasks(tasks: page.tasks)) }
            guard client.pages[0].isEmpty else { continue }
            client.pages.removeFirst()
            if let status { end(status, of: client) }
        }
        client.isSending = false
        if attached === client { deliver() }
    }

    /// Sends the status, behind the last page of tasks.
    private func end(_ status: BackgroundStatus, of client: ClientConnection) {
        guard !client.isReady, client.purpose != .control else {
            return client.send(.status(status: status))
        }
        client.send(.attached(status: status))
        client.isReady = true
        for challenge in client.challenges { client.send(challenge) }
        client.challenges = []
    }

    /// The first of some tasks, as many as go into a frame, as they stand now.
    ///
    /// - Parameter numbers: their numbers; those that are gone are left out.
    /// - Returns: the tasks, and how many of the numbers are done with.
    private func page(_ numbers: ArraySlice<Int>) -> (tasks: [BackgroundStatus.Task], count: Int) {
        let candidates = numbers.prefix(BackgroundBatch.countLimit)
        let tasks = candidates.compactMap { number -> BackgroundStatus.Task? in
            guard let task = journaled.machine.state.tasks[number] else { return nil }
            var status = BackgroundStatus.Task(task, in: journaled.machine)
            status.progress = progress[number]
            return status
        }
        let page = Array(BackgroundBatch.first(of: tasks[...], \.record))
        guard page.count < tasks.count, let next = tasks[page.count...].first else {
            return (page, candidates.count)
        }
        return (page, candidates.prefix { $0 != next.record.identifier }.count)
    }

    /// Tells the attached client how tasks stand, by another client's request.
    ///
    /// - Parameter tasks: their numbers; `nil`: all.
    func announce(_ tasks: [Int]? = nil) {
        guard let attached else { return }
        var rest = (tasks ?? journaled.machine.state.tasks.keys.sorted())[...]
        while !rest.isEmpty {
            let page = self.page(rest)
            if !page.tasks.isEmpty { attached.send(.tasks(tasks: page.tasks)) }
            rest = rest.dropFirst(page.count)
        }
    }

    /// The same, of all, where another client has changed them, once there is room for that.
    func announceIfOutdated() {
        guard isOutdated, attached?.connection.isFull != true, attached?.isReady != false else {
            return
        }
        isOutdated = false
        announce()
    }

    /// The session's status, without its tasks.
    var status: BackgroundStatus? {
        guard var status = BackgroundStatus(journaled.machine, process: getpid()) else {
            return nil
        }
        status.waitsFor = waits.map(\.words)
        return status
    }
}

/// A client that is connected to a transfer process; it belongs to the ``BackgroundServer``.
final class ClientConnection {
    let number: Int
    let connection: BackgroundConnection
    /// `nil` before its handshake.
    var purpose: BackgroundHandshake.Purpose?
    /// Whether it is attached and has been sent all tasks, and so may be sent events.
    var isReady = false
    /// The numbers of the tasks that are still to be sent, of each request for the status.
    var pages: [ArraySlice<Int>] = []
    /// Whether it is being sent something, and more as long as there is room.
    var isSending = false
    /// What the client is to be asked as soon as it is ready.
    var challenges: [BackgroundReply] = []
    /// Whether its next request has to wait, since the files of the last one are being copied.
    private(set) var isPaused = false

    init(_ number: Int, _ connection: BackgroundConnection) {
        self.number = number
        self.connection = connection
    }

    /// Sends a reply, and reads no more before the client has taken it where there is much of it.
    func send(_ reply: BackgroundReply) {
        do throws(FrameError) {
            try connection.send(reply, isLossy: reply.isLossy)
        } catch {
            // Metrics that an earlier version has written down may be too long for a frame: the end of
            // the task is told without. There is nothing else of that length.
            if let rest = reply.withoutMetrics { try? connection.send(rest) }
        }
        if connection.isFull { connection.pauseReading() }
    }

    /// Reads no more, until it is released: its requests are carried out one after the other.
    func hold() {
        isPaused = true
        connection.pauseReading()
    }

    /// Reads again.
    func release() {
        isPaused = false
        listen()
    }

    /// Reads again, unless there is a reason not to.
    func listen() {
        if !isPaused, !connection.isFull { connection.resumeReading() }
    }
}

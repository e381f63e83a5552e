import Dispatch
import FoundationEssentials
import Glibc

// Connections of clients.
extension BackgroundServer {
    func take(_ socket: PeerSocket) {
        lastConnection += 1
        // The client that has started the server may be connected now.
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

    /// The timeout of a client's handshake, seconds.
    private static let handshakeTimeout = 5.0

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
            // A send may make room at once; then the sending loop continues by itself.
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

// Messages from clients.
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
        // A client of another version gets a handshake too: it has the version of this server.
        try? client.connection.send(BackgroundHandshake(identifier: identifier, process: getpid()))
        guard let peerHandshake = try? JSONDecoder().decode(BackgroundHandshake.self, from: frame),
            peerHandshake.blocker(identifier: identifier) == nil,
            let purpose = peerHandshake.purpose
        else { return disconnect(client.number) }
        client.purpose = purpose
        guard purpose != .control else { return }
        // The same program may have been attached before: the end of that connection is read first.
        attached?.connection.catchUp()
        let events = journaled.machine.state.events
        let taken = events.filter { $0.value.event.file?.isTaken == true }
        report(
            .attach(
                AttachRequest(
                    connection: client.number,
                    process: client.connection.process,
                    cursor: peerHandshake.cursor,
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
            // A credential never gets into the journal.
            if let disposition = URLSession.AuthChallengeDisposition(rawValue: disposition) {
                let credential = challenge.credential(user, password, identity)
                transfers.decide(task, about: challenge, disposition, credential)
            }
            report(.challengeDecided(task: task))
        default: report(.request(request, from: client.number))
        }
    }
}

// Lists of tasks for clients, a page at a time while the outbox has room.
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

    /// Sends the status, after the last page of tasks.
    private func end(_ status: BackgroundStatus, of client: ClientConnection) {
        guard !client.isReady, client.purpose != .control else {
            return client.send(.status(status: status))
        }
        client.send(.attached(status: status))
        client.isReady = true
        for challenge in client.challenges { client.send(challenge) }
        client.challenges = []
        if attached === client { announceIfOutdated() }
    }

    /// The status of the first tasks of a list that fit into a frame, and the count of their numbers.
    private func page(_ numbers: ArraySlice<Int>) -> (tasks: [BackgroundStatus.Task], count: Int) {
        var batch = BackgroundBatch()
        var tasks: [BackgroundStatus.Task] = []
        for (count, number) in numbers.enumerated() {
            guard let task = journaled.machine.state.tasks[number] else { continue }
            guard batch.takes(task.record) else { return (tasks, count) }
            var status = BackgroundStatus.Task(task, in: journaled.machine)
            status.progress = progress[number]
            tasks.append(status)
        }
        return (tasks, numbers.count)
    }

    /// Sends the attached client the status of tasks, or of all, after another client's request.
    ///
    /// A client that still receives its first list is sent all of them behind it.
    func announce(_ tasks: [Int]? = nil) {
        guard let attached else { return }
        guard attached.isReady else {
            isOutdated = true
            return
        }
        var rest = (tasks ?? journaled.machine.state.tasks.keys.sorted())[...]
        while !rest.isEmpty {
            let page = self.page(rest)
            if !page.tasks.isEmpty { attached.send(.tasks(tasks: page.tasks)) }
            rest = rest.dropFirst(page.count)
        }
    }

    /// Sends the attached client all tasks if another client has changed some, once the outbox has room.
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
        status.waitsFor = waits.map(\.rawValue)
        if let journalError { status.waitsFor.append("the disk (\(journalError))") }
        return status
    }
}

/// A client that is connected to a transfer process; only the ``BackgroundServer`` uses it.
final class ClientConnection {
    let number: Int
    let connection: BackgroundConnection
    /// `nil` before its handshake.
    var purpose: BackgroundHandshake.Purpose?
    /// Whether the client is attached and has got all tasks, and so may get events.
    var isReady = false
    /// The numbers of the tasks that are still to be sent, for each request for the status.
    var pages: [ArraySlice<Int>] = []
    /// Whether a loop is sending to this client while the outbox has room.
    var isSending = false
    /// Challenges to send as soon as the client is ready.
    var challenges: [BackgroundReply] = []
    /// Whether the client's next request waits until the files of its last one are copied.
    private(set) var isPaused = false

    init(_ number: Int, _ connection: BackgroundConnection) {
        self.number = number
        self.connection = connection
    }

    /// Sends a reply; if the outbox is full, no requests are read until the client has read its replies.
    func send(_ reply: BackgroundReply) {
        // No reply is too long for a frame: each has a bound of its own.
        try? connection.send(reply, isLossy: reply.isLossy)
        if connection.isFull { connection.setReading(false) }
    }

    /// Stops reading until ``resumeRequests()``, so that requests are carried out in order.
    func pauseRequests() {
        isPaused = true
        connection.setReading(false)
    }

    func resumeRequests() {
        isPaused = false
        listen()
    }

    /// Reads again, unless the requests are paused or its outbox is full.
    func listen() {
        if !isPaused, !connection.isFull { connection.setReading(true) }
    }
}

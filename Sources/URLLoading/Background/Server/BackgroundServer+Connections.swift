import Dispatch
import FoundationEssentials
import Glibc

// Who comes and goes.
extension BackgroundServer {
    func take(_ socket: PeerSocket) {
        lastConnection += 1
        // Whoever was waited for has come.
        idleDeadline = .now()
        let number = lastConnection
        let connection = BackgroundConnection(socket, queue: queue)
        connections[number] = ProgramConnection(number, connection)
        connection.begin { [weak self] event in
            self?.assumeIsolated { $0.hear(event, from: number) }
        }
        post(after: Self.handshakeTime) { server in
            if let client = server.connections[number], client.purpose == nil {
                server.dismiss(number)
            }
        }
    }

    /// How long a client may take to say who it is, seconds.
    private static let handshakeTime = 5.0

    /// Has somebody go.
    func dismiss(_ number: Int) {
        connections.removeValue(forKey: number)?.connection.close()
        left(number)
    }

    private func left(_ number: Int) {
        report(.detach(connection: number))
    }

    private func hear(_ event: BackgroundConnection.Event, from number: Int) {
        switch event {
        case .frame(let frame): take(frame, from: number)
        case .room:
            connections[number]?.listen()
            if attached?.number == number {
                announceIfStale()
                deliver()
            }
        case .end:
            connections[number] = nil
            left(number)
        }
    }

    /// Lets somebody in, and says how all is.
    func welcome(_ client: ProgramConnection) {
        if let status = headed(for: client) { client.send(.welcome(status: status)) }
        // Room that there is in between is not for events.
        client.isWelcome = true
    }

    /// How all is, with the last of the tasks, when the others have been sent.
    func headed(for client: ProgramConnection) -> BackgroundStatus? {
        guard var status else { return nil }
        var rest = status.tasks[...]
        while true {
            let batch = BackgroundBatch.first(of: rest, \.record)
            rest = rest.dropFirst(batch.count)
            guard !rest.isEmpty else {
                status.tasks = Array(batch)
                return status
            }
            client.send(.added(tasks: Array(batch)))
        }
    }

    /// Tells whoever is attached how tasks stand, by somebody else's order.
    ///
    /// - Parameter tasks: their numbers; `nil`: all.
    func announce(_ tasks: [Int]? = nil) {
        guard let attached, var all = status?.tasks[...] else { return }
        let tasks = tasks.map { Set($0) }
        all.removeAll { task in tasks.map { !$0.contains(task.record.identifier) } ?? false }
        while !all.isEmpty {
            let batch = BackgroundBatch.first(of: all, \.record)
            attached.send(.added(tasks: Array(batch)))
            all = all.dropFirst(batch.count)
        }
    }

    /// The same, of all, where they have been ordered something and there is room for that; else
    /// when there is.
    func announceIfStale() {
        guard isStale, attached?.connection.isFull != true, attached?.isWelcome != false else {
            return
        }
        isStale = false
        announce()
    }

    /// How all is.
    var status: BackgroundStatus? {
        guard var status = BackgroundStatus(journaled.machine, process: getpid()) else {
            return nil
        }
        status.waitsFor = waits.map(\.words)
        for (index, task) in status.tasks.enumerated() {
            status.tasks[index].progress = progress[task.record.identifier]
        }
        return status
    }
}

/// A program that is connected to a transfer process; it belongs to the ``BackgroundServer``.
final class ProgramConnection {
    let number: Int
    let connection: BackgroundConnection
    /// What it has come for; `nil`: it has not said so yet.
    var purpose: BackgroundHandshake.Purpose?
    /// Whether it has been told how all is, and so may be told what happens.
    var isWelcome = false
    /// Whether what it says next has to wait, since what it has said before is being done.
    private(set) var isHeld = false

    init(_ number: Int, _ connection: BackgroundConnection) {
        self.number = number
        self.connection = connection
    }

    /// Says something, and listens no more before it has been taken where there is much of it.
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

    /// Listens no more, until it is released: its orders are carried out one after the other.
    func hold() {
        isHeld = true
        connection.pauseReading()
    }

    /// Listens again.
    func release() {
        isHeld = false
        listen()
    }

    /// Listens, unless there is a reason not to.
    func listen() {
        if !isHeld, !connection.isFull { connection.resumeReading() }
    }
}

// What clients say.
extension BackgroundServer {
    func take(_ frame: [UInt8], from number: Int) {
        guard let client = connections[number] else { return }
        guard client.purpose != nil else { return shakeHands(frame, client) }
        guard let request = try? JSONDecoder().decode(BackgroundRequest.self, from: Data(frame))
        else { return dismiss(number) }
        take(request, from: client)
    }

    private func shakeHands(_ frame: [UInt8], _ client: ProgramConnection) {
        let identifier = folder.identifier.text
        // Also to whom it cannot speak: it is how they find out.
        try? client.connection.send(BackgroundHandshake(identifier: identifier, process: getpid()))
        guard let hello = try? JSONDecoder().decode(BackgroundHandshake.self, from: Data(frame)),
            hello.obstacle(identifier: identifier) == nil, let purpose = hello.purpose
        else { return dismiss(client.number) }
        client.purpose = purpose
        guard purpose != .control else { return }
        // It may be the same program, which has hung up before: that is heard of first.
        attached?.connection.catchUp()
        let events = journaled.machine.state.events
        let taken = events.filter { $0.value.event.file?.isTaken == true }
        report(
            .attach(
                AttachRequest(
                    connection: client.number,
                    process: client.connection.peer.process,
                    seen: hello.seen,
                    taken: Set(taken.keys),
                    isWatching: purpose == .watch
                )
            )
        )
    }

    private func take(_ request: BackgroundRequest, from client: ProgramConnection) {
        switch request {
        case .make(let tasks): make(tasks, client)
        case .submit(let tasks, let settings): make(tasks, under: settings, client)
        case .resume(let tasks): order(tasks.map { .resume(task: $0) }, client)
        case .suspend(let tasks): order(tasks.map { .suspend(task: $0) }, client)
        case .cancel(let tasks, let keepsParts):
            order(
                tasks.map { keepsParts == true ? .cancelKeepingPart(task: $0) : .cancel(task: $0) },
                client
            )
        case .pause(let isPaused): order([.pause(isPaused)], client)
        case .resumeAll: order([.pause(false), .resumeAll], client)
        case .discard: order([.discard], client)
        case .settings(let settings):
            guard var known = journaled.machine.state.settings else { return }
            known.adopt(settings)
            order([.settings(known)], client)
        case .acknowledge(let sequence):
            report(.acknowledge(sequence: sequence, from: client.number))
        case .answer(let task, let disposition, let user, let password, let identity, let place):
            // The task may have met another server since the program was asked.
            guard case .parked(let challenge)? = journaled.machine.state.tasks[task]?.phase,
                place?.place == challenge.place
            else { break }
            // A credential is never written down.
            transfers.answer(
                task,
                to: challenge,
                disposition: disposition,
                user: user,
                password: password,
                identity: identity
            )
            report(.answered(task: task))
        case .status:
            if let status = headed(for: client) { client.send(.status(status: status)) }
        }
    }

    private func order(_ inputs: [BackgroundInput], _ client: ProgramConnection) {
        for input in inputs { report(input) }
        report(.confirm(from: client.number))
    }
}

import Dispatch
import FoundationEssentials
import Glibc

// What the transfer process says.
extension BackgroundAttachment {
    /// Takes a connection, on which nothing has been said.
    func open(_ connection: BackgroundConnection) {
        phase = .handshaking
        self.connection = connection
        firstTasks = []
        connection.begin { [weak self, weak connection] event in
            self?.assumeIsolated { attachment in
                guard let connection, connection === attachment.connection else { return }
                attachment.hear(event)
            }
        }
        let seen =
            token.map { AttachRequest.Seen(token: $0, sequence: told) }
            ?? mark.map { AttachRequest.Seen(token: $0.token, sequence: $0.sequence) }
        let hello = BackgroundHandshake(
            identifier: text,
            process: getpid(),
            purpose: watches ? .watch : .attach,
            seen: seen
        )
        try? connection.send(hello)
    }

    /// The connection has ended.
    func lost(_ reason: String) {
        connection?.close()
        connection = nil
        switch phase {
        case .away, .over: break
        case .handshaking, .waiting:
            phase = .away
            connectNext(reason)
        case .attached:
            phase = .away
            orders.takeBack()
            isStatusOut = false
            // One that has lasted is none of a row.
            losses = ContinuousClock.now - attachedSince > dependencies.timeout ? 1 : losses + 1
            guard losses < dependencies.lossLimit else {
                return fail(BackgroundError.disconnected(reason).urlError)
            }
            connect()
        }
    }

    private func hear(_ event: BackgroundConnection.Event) {
        switch event {
        case .frame(let frame): take(Data(frame))
        case .room: break
        case .end(let reason): lost(reason)
        }
    }

    private func take(_ frame: Data) {
        let decoder = JSONDecoder()
        switch phase {
        case .away, .over: break
        case .handshaking:
            guard let hello = try? decoder.decode(BackgroundHandshake.self, from: frame) else {
                return refuse(.disconnected("it says what cannot be understood"))
            }
            if let obstacle = hello.obstacle(identifier: text) { return refuse(obstacle) }
            phase = .waiting
        case .waiting:
            guard let reply = try? decoder.decode(BackgroundReply.self, from: frame) else {
                return refuse(.disconnected("it says what cannot be understood"))
            }
            takeFirst(reply)
        case .attached:
            guard let reply = try? decoder.decode(BackgroundReply.self, from: frame) else {
                return lost("it says what cannot be understood")
            }
            take(reply)
        }
    }

    /// Is not let in, and does not try again.
    func refuse(_ error: BackgroundError) {
        connection?.close()
        connection = nil
        phase = .away
        fail(error.urlError)
    }

    private func takeFirst(_ reply: BackgroundReply) {
        switch reply {
        case .added(let tasks): firstTasks += tasks
        case .welcome(let status): takeWelcome(status)
        case .inUse(let process): refuse(.inUse(process: process))
        case .done(let error?): refuse(.reported(error.urlError))
        default: break
        }
    }

    private func takeWelcome(_ status: BackgroundStatus) {
        if let token, token != status.settings.token {
            return refuse(.disconnected("it was removed, and another is in its place"))
        }
        if token == nil {
            token = status.settings.token
            accepted = mark?.token == token ? mark?.sequence ?? 0 : 0
            told = accepted
        }
        acknowledged = told
        phase = .attached
        attachedSince = .now
        if var settings = Optional(status.settings), let wanted {
            settings.adopt(wanted)
            if settings != status.settings { orders.add(.settings(wanted)) }
        }
        for task in orders.drafts(below: status.nextTask) { abandon(task) }
        adopt(firstTasks + status.tasks)
        session?.count(upTo: min(max(1, status.nextTask), BackgroundTaskRecord.lastNumber) - 1)
        firstTasks = []
        endConnecting()
        flushSoon()
    }

    private func take(_ reply: BackgroundReply) {
        switch reply {
        case .made, .done(nil):
            orders.answered()
            flush()
        case .refused(let tasks, let code, let detail):
            orders.answered()
            let error = URLError(URLError.Code(rawValue: code), detail: detail)
            for task in tasks { session?.task(task)?.endElsewhere(error) }
            flush()
        case .done: hold()
        case .event(let delivery):
            losses = 0
            // Whoever has died may have told it already.
            guard delivery.sequence > accepted else { return }
            accepted = delivery.sequence
            inbox.append(delivery)
            tellNext()
        case .progress(let progress):
            losses = 0
            waitingTold.remove(progress.task)
            session?.task(progress.task)?.noteProgress(progress)
        case .waiting(let task, let reason):
            guard reason == DiscretionaryConditions.Wait.network.words,
                waitingTold.insert(task).inserted
            else { return }
            session?.task(task)?.noteWaiting()
        case .challenge(let task, let challenge): ask(task, challenge)
        case .added(let tasks): adopt(tasks)
        case .status(let status): takeStatus(status)
        case .welcome, .inUse: break
        }
    }

    /// Takes tasks that were there before, or that somebody else has made, or ordered something of.
    private func adopt(_ tasks: [BackgroundStatus.Task]) {
        for task in tasks {
            let number = task.record.identifier
            if known.insert(number).inserted {
                // It comes when the session is about to end, and is for whoever attaches next: what
                // becomes of it must not be taken here, where nobody is told.
                if session?.adopt(task, from: self) == false { isDetaching = true }
            } else if orders.isSettled {
                session?.task(number)?.noteStanding(task)
            }
        }
    }

    /// The number of a task of which nothing was said is somebody else's by now.
    private func abandon(_ task: Int) {
        orders.drop(task)
        known.remove(task)
        drafts.removeValue(forKey: task)?.endElsewhere(
            URLError(.resourceUnavailable, detail: "somebody else has made a task of its number")
        )
    }
}

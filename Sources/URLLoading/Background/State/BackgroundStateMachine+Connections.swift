// Clients, of which one at a time is attached.
extension BackgroundStateMachine {
    mutating func attach(_ request: AttachRequest) {
        if let attachment {
            let reply = BackgroundReply.inUse(process: attachment.process)
            return step.effects.append(.reply(connection: request.connection, reply))
        }
        if let cursor = request.cursor, cursor.token == state.settings?.token,
            cursor.sequence <= state.counters.lastEvent
        {
            // This client knows which events it has received, but not which ones earlier clients have.
            acknowledge(upTo: cursor.sequence)
        } else if state.counters.offered > state.counters.doubted {
            note(.doubted(sequence: state.counters.offered))
        }
        let doubt = state.counters.doubted
        for sequence in request.taken.sorted() where sequence <= doubt {
            guard state.events[sequence]?.event.file != nil else { continue }
            note(.taken(sequence: sequence))
        }
        // The command was to start a client, and a client is attached now.
        if case .credential? = state.counters.commandDue { note(.commandDue(reason: nil)) }
        attachment = Attachment(
            connection: request.connection,
            process: request.process,
            isWatching: request.isWatching,
            doubt: doubt,
            cursor: state.counters.acknowledged
        )
        // A program's settings say whether the session can wait. Behind a watching client, a person waits.
        if request.isWatching { endDiscretionaryWait() }
        step.effects.append(.attached(connection: request.connection))
        for (number, task) in ordered {
            if case .parked(let challenge) = task.phase {
                step.effects.append(.ask(task: number, challenge))
            }
        }
        step.effects.append(.deliver)
    }

    /// Acknowledges events, if they were sent to this client.
    mutating func acknowledge(_ sequence: Int, from connection: Int) {
        guard let attachment, attachment.connection == connection,
            sequence <= attachment.cursor
        else { return }
        acknowledge(upTo: sequence)
    }

    mutating func acknowledge(upTo sequence: Int) {
        guard sequence > state.counters.acknowledged else { return }
        let gone = state.events(upTo: sequence).compactMap { number -> Int? in
            guard case .completed(let task, _, _, _)? = state.events[number]?.event else {
                return nil
            }
            return task
        }.sorted()
        note(.acknowledged(sequence: sequence))
        if !gone.isEmpty { step.effects.append(.forget(tasks: gone)) }
    }

    private mutating func make(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings?,
        from connection: Int
    ) {
        func refuse(_ reason: String) {
            let code = URLError.Code.resourceUnavailable.rawValue
            let tasks = tasks.map(\.identifier)
            let reply = BackgroundReply.refused(tasks: tasks, code: code, detail: reason)
            step.effects.append(.reply(connection: connection, reply))
        }
        let isOther = attachment.map { $0.connection != connection } ?? false
        if let attachment, isOther, !attachment.isWatching {
            return refuse("a program is attached to it: process \(attachment.process)")
        }
        var numbers: [Int] = []
        var new: [BackgroundTaskRecord] = []
        var last = state.counters.lastTask
        // An attached client numbers its tasks; a command, which sends its settings, does not.
        for task in settings == nil ? tasks : state.numbered(tasks) {
            // A client that has missed the reply repeats its request.
            if let known = state.tasks[task.identifier], known.record.isRepeated(by: task) {
                numbers.append(task.identifier)
                continue
            }
            guard BackgroundTaskRecord.numbers.contains(task.identifier) else {
                return refuse("a task cannot have the number \(task.identifier)")
            }
            guard task.identifier > last else {
                return refuse("the session has had a task \(task.identifier) already")
            }
            last = task.identifier
            numbers.append(last)
            new.append(task)
        }
        if let settings, let known = state.settings {
            note(known.taking(settings, for: &new))
        }
        for task in new { note(.made(task: task)) }
        step.effects.append(.reply(connection: connection, .made(tasks: numbers)))
        if isOther { step.effects.append(.announce(tasks: new.map(\.identifier))) }
    }

    private mutating func note(_ settings: BackgroundSettings) {
        guard settings != state.settings else { return }
        note(.session(settings: settings))
        step.effects.append(.configure(settings))
    }
}

// Requests of clients, for tasks or for the session.
extension BackgroundStateMachine {
    mutating func take(_ request: BackgroundRequest, from connection: Int) {
        switch request {
        case .make(let tasks, let settings): return make(tasks, settings, from: connection)
        case .acknowledge(let sequence): return acknowledge(sequence, from: connection)
        // `BackgroundServer` handles these requests.
        case .answer, .status, .summary: return
        case .resume(let tasks):
            // A task that waits for a retry keeps its wait.
            for task in tasks where state.tasks[task]?.phase == .held {
                note(.resumed(task: task, at: step.now))
            }
        case .suspend(let tasks): for task in tasks { suspend(task) }
        case .cancel(let tasks, keepsParts: true):
            for task in tasks { cancelKeepingPart(task) }
        case .cancel(let tasks, keepsParts: false): for task in tasks { cancel(task) }
        case .pause: if !state.counters.isPaused { note(.paused(isPaused: true)) }
        case .resumeAll:
            if state.counters.isPaused { note(.paused(isPaused: false)) }
            for (number, task) in ordered where task.phase == .held {
                note(.resumed(task: number, at: step.now))
            }
            endDiscretionaryWait()
        case .discard: discard()
        case .settings(let settings):
            guard var known = state.settings else { break }
            known.adopt(settings)
            note(known)
        }
        // Connection 0 is a client that has the lock itself. It needs no reply.
        guard connection != 0 else { return }
        step.effects.append(.reply(connection: connection, .done(error: nil)))
    }

    /// Ends the session's wait for a good time, because the user waits for the session.
    mutating func endDiscretionaryWait() {
        guard var settings = state.settings, settings.isDiscretionary else { return }
        settings.isDiscretionary = false
        note(settings)
    }

    private mutating func discard() {
        for (number, _) in ordered { cancel(number) }
        step.isDiscarded = true
        if state.counters.commandDue != nil { note(.commandDue(reason: nil)) }
        // A task whose file is being moved still ends by itself, with an event, in a later step.
        if index.liveCount > 0, var settings = state.settings {
            settings.command = nil
            note(settings)
        }
        guard attachment == nil else { return }
        acknowledge(upTo: state.counters.lastEvent)
        step.endsTask = false
    }

    private mutating func suspend(_ task: Int) {
        switch state.tasks[task]?.phase {
        case .active?, .parked?:
            note(.suspended(task: task, at: step.now))
            guard running.contains(task) else { return }
            stopped(task)
            step.effects.append(.stop(task: task))
        // The body is complete, and the task about to end.
        case .placing?, .held?, .ended?, nil: break
        }
    }

    private mutating func cancelKeepingPart(_ task: Int) {
        guard state.tasks[task]?.record.leavesParts == true else { return cancel(task) }
        switch state.tasks[task]?.phase {
        case .held?, .active?, .parked?:
            // After a crash, the next process finds the task held. A program that still runs repeats the
            // request.
            suspend(task)
            handOverPart(task, URLError(.cancelled))
        case .placing?, .ended?, nil: break
        }
    }

    private mutating func cancel(_ task: Int) {
        switch state.tasks[task]?.phase {
        case .held?, .active?, .parked?:
            step.effects.append(.cancel(task: task))
            complete(task, StoredError(URLError(.cancelled)), nil)
        // The file may be at its destination already.
        case .placing?, .ended?, nil: break
        }
    }
}

extension BackgroundState {
    /// Gives the session's next numbers to tasks without a number.
    func numbered(_ tasks: [BackgroundTaskRecord]) -> [BackgroundTaskRecord] {
        var highest = counters.lastTask
        return tasks.map { task in
            var task = task
            if task.identifier == 0 { task.identifier = highest + 1 }
            // After the last number comes an invalid one, which `make` refuses.
            highest = min(max(highest, task.identifier), BackgroundTaskRecord.lastNumber)
            return task
        }
    }
}

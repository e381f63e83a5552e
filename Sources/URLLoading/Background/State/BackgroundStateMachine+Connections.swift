// Whoever is attached: one at a time.
extension BackgroundStateMachine {
    mutating func attach(_ request: AttachRequest, _ step: inout Step) {
        if let attachment {
            step.effects.append(
                .turnAway(connection: request.connection, attached: attachment.process)
            )
            return
        }
        if let seen = request.seen, seen.token == state.settings?.token,
            seen.sequence <= state.figures.lastEvent
        {
            // It knows what it has been told, and so what it has not; but not what others were, who
            // came before it.
            acknowledge(upTo: seen.sequence, &step)
        } else if state.figures.offered > state.figures.doubted {
            note(.doubted(sequence: state.figures.offered), &step)
        }
        let doubt = state.figures.doubted
        for sequence in request.taken.sorted() where sequence <= doubt {
            guard state.events[sequence]?.event.file != nil else { continue }
            note(.taken(sequence: sequence), &step)
        }
        if state.figures.offered < state.figures.lastEvent {
            note(.offered(sequence: state.figures.lastEvent), &step)
        }
        // It is there now, whoever was to be started for that.
        if case .credential? = state.figures.commandDue { note(.commandDue(reason: nil), &step) }
        attachment = Attachment(
            connection: request.connection,
            process: request.process,
            isWatching: request.isWatching,
            doubt: doubt,
            cursor: state.figures.acknowledged
        )
        // A program says by its settings whether it can wait; who looks on is a person who does not.
        if request.isWatching { liftDiscretion(&step) }
        step.effects.append(.welcome(connection: request.connection))
        for (number, task) in ordered {
            if case .parked(let challenge) = task.phase {
                step.effects.append(.ask(task: number, challenge))
            }
        }
        step.effects.append(.deliver)
    }

    /// Only what was sent to this one can have been told by it.
    mutating func acknowledge(_ sequence: Int, from connection: Int, _ step: inout Step) {
        guard let attachment, attachment.connection == connection,
            sequence <= attachment.cursor
        else { return }
        acknowledge(upTo: sequence, &step)
    }

    mutating func acknowledge(upTo sequence: Int, _ step: inout Step) {
        guard sequence > state.figures.acknowledged else { return }
        let gone = state.events.filter { $0.key <= sequence }.compactMap { _, pending in
            if case .completed(let task, _, _, _) = pending.event { task } else { nil }
        }.sorted()
        note(.acknowledged(sequence: sequence), &step)
        if !gone.isEmpty { step.effects.append(.forget(tasks: gone)) }
    }

    mutating func make(
        _ tasks: [BackgroundTaskRecord],
        from connection: Int,
        _ step: inout Step
    ) {
        func reject(_ reason: String) {
            step.effects.append(
                .reject(
                    connection: connection,
                    tasks: tasks.map(\.identifier),
                    reason: reason
                )
            )
        }
        let isOther = attachment.map { $0.connection != connection } ?? false
        if let attachment, isOther, !attachment.isWatching {
            return reject("a program is attached to it: process \(attachment.process)")
        }
        var numbers: [Int] = []
        var new: [BackgroundTaskRecord] = []
        var last = state.figures.lastTask
        for task in tasks {
            // Who has not heard of it asks again.
            if let known = state.tasks[task.identifier], known.record.isRepeated(by: task) {
                numbers.append(task.identifier)
                continue
            }
            guard BackgroundTaskRecord.numbers.contains(task.identifier) else {
                return reject("a task cannot have the number \(task.identifier)")
            }
            guard task.identifier > last else {
                return reject("the session has had a task \(task.identifier) already")
            }
            last = task.identifier
            numbers.append(last)
            new.append(task)
        }
        for task in new {
            note(.made(task: task), &step)
            if task.startsResumed { note(.resumed(task: task.identifier), &step) }
        }
        step.effects.append(.confirm(connection: connection, tasks: numbers))
        if isOther { step.effects.append(.announce(tasks: new.map(\.identifier))) }
    }
}

// What the program, or the user, wants done with tasks.
extension BackgroundStateMachine {
    mutating func order(_ order: BackgroundInput, _ step: inout Step) {
        switch order {
        case .resume(let task):
            // What waits to be tried again is not made to wait less.
            if case .held? = state.tasks[task]?.phase { note(.resumed(task: task), &step) }
        case .suspend(let task): suspend(task, &step)
        case .cancel(let task): cancel(task, &step)
        case .cancelKeepingPart(let task): cancelKeepingPart(task, &step)
        case .resumeAll:
            for (number, task) in ordered where task.phase == .held {
                note(.resumed(task: number), &step)
            }
            liftDiscretion(&step)
        case .discard: discard(&step)
        case .pause(let isPaused):
            if state.figures.isPaused != isPaused { note(.paused(isPaused: isPaused), &step) }
        case .settings(let settings):
            guard settings != state.settings else { break }
            note(.session(settings: settings), &step)
            step.effects.append(.configure(settings))
        case .answered(let task):
            if case .parked? = state.tasks[task]?.phase { note(.resumed(task: task), &step) }
        default: break
        }
    }

    /// Has the session wait for no good time any more: the user waits for it.
    mutating func liftDiscretion(_ step: inout Step) {
        guard var settings = state.settings, settings.isDiscretionary else { return }
        settings.isDiscretionary = false
        note(.session(settings: settings), &step)
        step.effects.append(.configure(settings))
    }

    private mutating func discard(_ step: inout Step) {
        for (number, _) in ordered { cancel(number, &step) }
        step.isDiscarded = true
        guard attachment == nil else { return }
        // What is about to end by itself is told when it has.
        acknowledge(upTo: state.figures.lastEvent, &step)
        if state.figures.commandDue != nil { note(.commandDue(reason: nil), &step) }
        step.endsTask = false
    }

    private mutating func suspend(_ task: Int, _ step: inout Step) {
        switch state.tasks[task]?.phase {
        case .active?, .parked?:
            note(.suspended(task: task), &step)
            guard running.contains(task) else { return }
            stopped(task)
            step.effects.append(.stop(task: task))
        // It is whole, and about to end.
        case .placing?, .held?, .ended?, nil: break
        }
    }

    private mutating func cancelKeepingPart(_ task: Int, _ step: inout Step) {
        guard state.tasks[task]?.record.leavesParts == true else { return cancel(task, &step) }
        switch state.tasks[task]?.phase {
        case .held?, .active?, .parked?:
            // The next process finds it held, and is told again by a program that is still there.
            suspend(task, &step)
            salvage(task, URLError(.cancelled), &step)
        case .placing?, .ended?, nil: break
        }
    }

    private mutating func cancel(_ task: Int, _ step: inout Step) {
        switch state.tasks[task]?.phase {
        case .held?, .active?, .parked?:
            step.effects.append(.cancel(task: task))
            complete(task, StoredError(URLError(.cancelled)), nil, &step)
        // Its file may be where it belongs already: it is too late.
        case .placing?, .ended?, nil: break
        }
    }
}

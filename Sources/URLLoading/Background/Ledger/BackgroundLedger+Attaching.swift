// Whoever is attached: one at a time.
extension BackgroundLedger {
    mutating func attach(_ visitor: BackgroundVisitor, _ step: inout Step) {
        if let attachment {
            step.effects.append(
                .turnAway(connection: visitor.connection, attached: attachment.process)
            )
            return
        }
        if let seen = visitor.seen, seen.token == state.settings?.token,
            seen.sequence <= state.figures.lastEvent
        {
            // It knows what it has been told, and so what it has not; but not what others were, who
            // came before it.
            acknowledge(upTo: seen.sequence, &step)
        } else if state.figures.offered > state.figures.doubted {
            note(.doubted(sequence: state.figures.offered), &step)
        }
        let doubt = state.figures.doubted
        for sequence in visitor.taken.sorted() where sequence <= doubt {
            guard state.events[sequence]?.event.file != nil else { continue }
            note(.taken(sequence: sequence), &step)
        }
        if state.figures.offered < state.figures.lastEvent {
            note(.offered(sequence: state.figures.lastEvent), &step)
        }
        // It is there now, whoever was to be started for that.
        if case .credential? = state.figures.commandDue { note(.commandDue(reason: nil), &step) }
        attachment = Attachment(
            connection: visitor.connection,
            process: visitor.process,
            isWatching: visitor.isWatching,
            doubt: doubt,
            cursor: state.figures.acknowledged
        )
        // A program says by its settings whether it can wait; who looks on is a person who does not.
        if visitor.isWatching { liftDiscretion(&step) }
        step.effects.append(.welcome(connection: visitor.connection))
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

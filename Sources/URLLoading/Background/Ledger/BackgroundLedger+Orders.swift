// What the program, or the user, wants done with tasks.
extension BackgroundLedger {
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

// What transfers come to. A word that comes late, of a task that was suspended or cancelled
// meanwhile, finds another phase and changes nothing.
extension BackgroundLedger {
    mutating func transfer(_ event: BackgroundInput, _ step: inout Step) {
        switch event {
        case .received(let task, let file, let response):
            received(task, file, response, &step)
        case .sent(let task, let response):
            if isActive(task) { complete(task, nil, response, &step) }
        case .failed(let task, let error, let response):
            if isActive(task) || isPlacing(task) { complete(task, error, response, &step) }
        case .retry(let task, let retry):
            guard isActive(task) else { return }
            stopped(task)
            note(.waiting(task: task, retry: retry), &step)
        case .salvaged(let task, let resumeData):
            guard var error = salvaging[task], !isPlacing(task),
                state.tasks[task]?.hasEnded == false
            else { return }
            error.resumeData = resumeData
            step.effects.append(.cancel(task: task))
            complete(task, error, nil, &step)
        case .challenged(let task, let challenge):
            guard isActive(task) else { return }
            park(task, challenge, &step)
        case .displaced(let task, let number):
            guard case .placing(var placement)? = state.tasks[task]?.phase,
                let name = state.tasks[task]?.record.destination
            else { return }
            placement.number = max(placement.number + 1, number)
            placement.target = "\(name).\(placement.number)"
            place(task, placement, &step)
        case .placed(let task, let file):
            guard case .placing(let placement)? = state.tasks[task]?.phase else { return }
            finish(task, file, placement.response, &step)
        default: break
        }
    }

    private func isActive(_ task: Int) -> Bool {
        if case .active? = state.tasks[task]?.phase { true } else { false }
    }

    private func isPlacing(_ task: Int) -> Bool {
        if case .placing? = state.tasks[task]?.phase { true } else { false }
    }

    private mutating func received(
        _ task: Int,
        _ file: BackgroundFile,
        _ response: StoredResponse?,
        _ step: inout Step
    ) {
        guard isActive(task), let record = state.tasks[task]?.record else { return }
        guard let target = record.destination else {
            return finish(task, file, response, &step)
        }
        stopped(task)
        let placement = BackgroundPlacement(
            file: file,
            target: target,
            replaces: record.replaces,
            response: response
        )
        place(task, placement, &step)
    }

    private mutating func place(
        _ task: Int,
        _ placement: BackgroundPlacement,
        _ step: inout Step
    ) {
        setMoving(task, true)
        note(.placing(task: task, placement: placement), &step)
        step.effects.append(.place(task: task, placement))
    }

    private mutating func finish(
        _ task: Int,
        _ file: BackgroundFile,
        _ response: StoredResponse?,
        _ step: inout Step
    ) {
        tell(.finished(task: task, file: file, response: response), &step)
        complete(task, nil, response, &step)
    }

    private mutating func park(
        _ task: Int,
        _ challenge: ChallengeRecord,
        _ step: inout Step
    ) {
        stopped(task)
        note(.parked(task: task, challenge: challenge), &step)
        if attachment != nil {
            step.effects.append(.ask(task: task, challenge))
        } else if state.settings?.command != nil, state.figures.commandDue == nil {
            note(.commandDue(reason: .credential(task: task)), &step)
        }
    }
}

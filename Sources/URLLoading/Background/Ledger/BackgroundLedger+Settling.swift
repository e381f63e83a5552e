// What follows from where all tasks stand, after each input.
extension BackgroundLedger {
    mutating func settle(at now: Int64, _ step: inout Step) {
        guard limit > 0 else { return finish(&step) }
        expire(at: now, &step)
        finish(&step)
        guard mayRun, !state.figures.isPaused else {
            hold(&step)
            return runCommand(&step)
        }
        start(at: now, &step)
        runCommand(&step)
    }

    /// Tells the program, once for all that has ended, when nothing is left that could go on.
    private mutating func finish(_ step: inout Step) {
        guard step.endsTask, !state.tasks.values.contains(where: { $0.isLive }) else { return }
        let tally = state.figures.tally
        tell(.allDone(tally: tally), &step)
        guard state.settings?.command != nil, !step.isDiscarded else { return }
        note(.commandDue(reason: .allDone(tally: tally)), &step)
    }

    /// Ends what has taken longer than it may.
    private mutating func expire(at now: Int64, _ step: inout Step) {
        var late: [Int] = []
        for (number, task) in state.tasks where task.deadline.map({ $0 <= now }) == true {
            if case .placing = task.phase { continue }
            if !task.hasEnded, salvaging[number] == nil { late.append(number) }
        }
        for number in late.sorted() {
            let error = URLError(.timedOut, detail: "it has taken longer than it may as a whole")
            guard state.tasks[number]?.record.leavesParts != true else {
                salvage(number, error, &step)
                continue
            }
            if running.contains(number) { step.effects.append(.cancel(task: number)) }
            complete(number, StoredError(error), nil, &step)
        }
    }

    private mutating func hold(_ step: inout Step) {
        for task in running.sorted() {
            // What may not be sent twice would be lost.
            let method = state.tasks[task]?.record.request.method ?? "GET"
            guard RetryPolicy.mayBeRepeated(method) else { continue }
            stopped(task)
            step.effects.append(.stop(task: task))
        }
    }

    /// Starts the most urgent, those first that were made first.
    private mutating func start(at now: Int64, _ step: inout Step) {
        guard running.count < limit else { return }
        var ready: [(rank: Float, number: Int)] = []
        for (number, task) in state.tasks {
            guard case .active(let retry) = task.phase, !running.contains(number),
                salvaging[number] == nil,
                retry.map({ Self.isDue($0.until, now) }) ?? true
            else { continue }
            ready.append((-task.priority, number))
        }
        // Of thousands there is room for few: they are picked, and not put in order.
        while running.count < limit, let first = ready.indices.min(by: { ready[$0] < ready[$1] }) {
            let number = ready[first].number
            ready.swapAt(first, ready.count - 1)
            ready.removeLast()
            guard let task = state.tasks[number] else { continue }
            begin(number)
            step.effects.append(.start(task: task.record))
        }
    }

    /// Whether a time to try again has come; no wait is as long as one would be after the clock of the
    /// wall has been set back.
    private static func isDue(_ time: Int64, _ now: Int64) -> Bool {
        time <= now || Double(time) - Double(now) > longestWait
    }

    /// Microseconds, and some more.
    private static let longestWait = 360e6

    /// Runs the session's command, one at a time.
    private mutating func runCommand(_ step: inout Step) {
        guard let reason = state.figures.commandDue, state.figures.command?.isRunning != true
        else { return }
        let run = (state.figures.command?.number ?? 0) + 1
        note(.commandBegan(run: run, reason: reason), &step)
        step.effects.append(.runCommand(run: run, reason))
    }
}

// Inputs. A late result of a transfer, whose task was suspended or cancelled meanwhile, finds another phase
// and changes nothing.
extension BackgroundStateMachine {
    mutating func take(_ input: BackgroundInput) {
        switch input {
        case .attach(let request): attach(request)
        case .detach(let connection):
            if attachment?.connection == connection { attachment = nil }
        case .request(let request, let connection): take(request, from: connection)
        case .challengeDecided(let task):
            if case .parked? = state.tasks[task]?.phase { note(.resumed(task: task)) }
        case .metricsCollected(let task, let metrics):
            if state.tasks[task]?.hasEnded == false { self.metrics[task] = metrics }
        case .commandEnded(let run, let status):
            if state.counters.command?.isRunning == true {
                note(.commandEnded(run: run, status: status))
            }
        case .mayRun(let mayRun): self.mayRun = mayRun
        case .tick: break
        case .received(let task, let file, let response, let name):
            received(task, file, response, name)
        case .sent(let task, let response):
            if isActive(task) { complete(task, nil, response) }
        case .failed(let task, let error, let response):
            if isActive(task) || isPlacing(task) { complete(task, error, response) }
        case .blocked(let task, let error):
            guard isActive(task) || isPlacing(task) else { return }
            if case .placing(let placement)? = state.tasks[task]?.phase {
                step.effects.append(.keepHead(task: task, placement.response))
            }
            stopped(task)
            moving.remove(task)
            note(.suspended(task: task, blocker: error, at: step.now))
            // This may have been the last task that could continue.
            step.endsTask = true
            if attachment != nil { step.effects.append(.announce(tasks: [task])) }
        case .retry(let task, let retry):
            guard isActive(task) else { return }
            stopped(task)
            note(.waiting(task: task, retry: retry))
        case .partHandedOver(let task, let resumeData):
            guard var error = awaitingPart[task], !isPlacing(task),
                state.tasks[task]?.hasEnded == false
            else { return }
            error.resumeData = resumeData
            step.effects.append(.cancel(task: task))
            complete(task, error, nil)
        case .challenged(let task, let challenge):
            guard isActive(task) else { return }
            park(task, challenge)
        case .displaced(let task, let number):
            guard case .placing(var placement)? = state.tasks[task]?.phase,
                let record = state.tasks[task]?.record,
                let name = placement.name ?? record.destination
            else { return }
            // The body is removed when a client has acknowledged the task's end.
            if record.filing?.keepsExisting == true {
                return complete(task, nil, placement.response)
            }
            placement.number = max(placement.number + 1, number)
            placement.target = "\(name).\(placement.number)"
            place(task, placement)
        case .placed(let task):
            guard isPlacing(task) else { return }
            endTransfer(task)
            let metrics = self.metrics.removeValue(forKey: task)
            let sequence = state.counters.lastEvent + 1
            note(.placed(task: task, sequence: sequence, metrics: metrics))
            deliver()
            step.endsTask = true
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
        _ name: String?
    ) {
        guard isActive(task), let record = state.tasks[task]?.record else { return }
        guard let destination = record.destination else {
            // The response is stored once: the next event has it.
            report(.finished(task: task, file: file))
            return complete(task, nil, response)
        }
        stopped(task)
        let folder = destination.utf8.lastIndex(of: UInt8(ascii: "/")).map { destination[...$0] }
        let named = name.map { "\(folder ?? "")\($0)" }
        let placement = BackgroundPlacement(
            file: file,
            target: named ?? destination,
            name: named,
            replaces: record.replaces,
            response: response
        )
        place(task, placement)
    }

    private mutating func place(_ task: Int, _ placement: BackgroundPlacement) {
        moving.insert(task)
        note(.placing(task: task, placement: placement))
        step.effects.append(.place(task: task, placement))
    }

    private mutating func park(_ task: Int, _ challenge: ChallengeRecord) {
        stopped(task)
        note(.parked(task: task, challenge: challenge))
        if attachment != nil {
            step.effects.append(.ask(task: task, challenge))
        } else if state.settings?.command != nil, state.counters.commandDue == nil {
            note(.commandDue(reason: .credential(task: task)))
        }
    }
}

// Scheduling, after the inputs of each step.
extension BackgroundStateMachine {
    mutating func schedule() {
        guard limit > 0 else { return finish() }
        expire()
        finish()
        guard mayRun, !state.counters.isPaused else {
            stopTransfers()
            return runCommand()
        }
        start()
        runCommand()
    }

    /// Adds one `allDone` event if tasks have ended, and no task can continue.
    private mutating func finish() {
        guard step.endsTask, index.liveCount == 0 else { return }
        var counts = state.counters.counts
        // A task that an error holds, such as a full disk, has no file.
        counts.failed += state.tasks.values.count { $0.blocker != nil }
        report(.allDone(counts: counts))
        guard state.settings?.command != nil, !step.isDiscarded else { return }
        note(.commandDue(reason: .allDone(counts: counts)))
    }

    private mutating func expire() {
        guard let earliest = index.earliest, earliest <= step.now else { return }
        var late: [Int] = []
        for (number, task) in state.tasks where task.deadline.map({ $0 <= step.now }) == true {
            if case .placing = task.phase { continue }
            if !task.hasEnded, awaitingPart[number] == nil { late.append(number) }
        }
        for number in late.sorted() {
            let error = URLError.wholeTimeout
            guard state.tasks[number]?.record.keepsParts != true else {
                handOverPart(number, error)
                continue
            }
            if running.contains(number) { step.effects.append(.cancel(task: number)) }
            complete(number, StoredError(error), nil)
        }
    }

    private mutating func stopTransfers() {
        for task in running.sorted() {
            // A request that must not be sent twice would be lost: it may finish.
            let method = state.tasks[task]?.record.request.method ?? "GET"
            guard RetryPolicy.mayBeRepeated(method) else { continue }
            stopped(task)
            step.effects.append(.stop(task: task))
        }
    }

    /// Starts the most urgent tasks, in the order in which they were made.
    private mutating func start() {
        guard running.count < limit else { return }
        for number in index.retries {
            guard let task = state.tasks[number], let time = task.retryTime,
                Self.isDue(time, step.now)
            else { continue }
            index.release(number, task)
        }
        while running.count < limit, let number = index.next() {
            // The task may have been held or started since it became a candidate.
            guard let task = state.tasks[number], case .active(let retry) = task.phase,
                !running.contains(number), awaitingPart[number] == nil,
                retry.map({ Self.isDue($0.until, step.now) }) ?? true
            else { continue }
            begin(number)
            step.effects.append(.start(task: task.record))
        }
    }

    /// Whether a retry is due; a wait beyond any valid one, because the clock was set back, counts as over.
    private static func isDue(_ time: Int64, _ now: Int64) -> Bool {
        time <= now || Double(time) - Double(now) > maximumWait
    }

    /// Somewhat more than the longest valid wait, microseconds.
    private static let maximumWait = 360e6

    private mutating func runCommand() {
        guard let reason = state.counters.commandDue, state.counters.command?.isRunning != true
        else { return }
        let run = (state.counters.command?.number ?? 0) + 1
        note(.commandBegan(run: run, reason: reason))
        step.effects.append(.runCommand(run: run, reason))
    }
}

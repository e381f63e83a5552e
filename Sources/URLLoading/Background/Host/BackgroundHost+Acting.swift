import FoundationEssentials

// What is to be done.
extension BackgroundHost {
    func act(_ effects: [BackgroundEffect]) {
        for effect in effects { act(effect) }
    }

    private func act(_ effect: BackgroundEffect) {
        switch effect {
        case .start(let task): transfers.start(task)
        case .stop(let task): transfers.stop(task)
        case .salvage(let task): transfers.salvage(task)
        case .cancel(let task): transfers.cancel(task)
        case .place(let task, let placement): place(task, placement)
        case .forget(let tasks):
            for task in tasks {
                progress[task] = nil
                // The sweep does not come to what is beside another file.
                if record(of: task)?.destination != nil { transfers.cancel(task) }
            }
            sweep()
        case .runCommand(let run, let reason): runCommand(run, reason)
        case .configure(let settings):
            transfers.configure(settings)
            if looksAtConditions { lookAtConditions() }
        case .welcome(let connection):
            if let visitor = visitors[connection] { welcome(visitor) }
        case .turnAway(let connection, let process):
            visitors[connection]?.send(.inUse(process: process))
            dismiss(connection)
        case .confirm(let connection, let tasks):
            visitors[connection]?.send(.made(tasks: tasks))
            settleMaking(of: connection)
        case .reject(let connection, let tasks, let reason):
            let code = URLError.Code.resourceUnavailable.rawValue
            visitors[connection]?.send(.refused(tasks: tasks, code: code, detail: reason))
            settleMaking(of: connection)
        case .announce(let tasks): announce(tasks)
        case .assure(let connection):
            visitors[connection]?.send(.done(error: nil))
            if attached?.number != connection { isStale = true }
        case .ask(let task, let challenge):
            attached?.send(.challenge(task: task, challenge: challenge))
        case .deliver: deliver()
        }
    }

    /// Who is attached.
    var attached: BackgroundGuest? {
        book.ledger.attachment.flatMap { visitors[$0.connection] }
    }

    /// Sends what there is to tell, as far as there is room; what is left waits in the journal.
    func deliver() {
        guard let attached, attached.isWelcome else { return }
        while !attached.connection.isFull, let next = book.nextDelivery() {
            attached.send(.event(delivery: next))
        }
    }

    /// Tells whoever is attached how far a task is.
    func tell(_ figures: BackgroundProgress) {
        guard book.ledger.running.contains(figures.task) else { return }
        progress[figures.task] = figures
        attached?.send(.progress(progress: figures))
    }

    /// Tells whoever is attached what a task waits for.
    func tell(_ task: Int, waitsFor reason: String) {
        attached?.send(.waiting(task: task, reason: reason))
    }

    private func place(_ task: Int, _ placement: BackgroundPlacement) {
        let name = record(of: task)?.destination
        // It may wait for the disk.
        SerialQueue("BackgroundHost.placing").async { [weak self] in
            let input: BackgroundInput
            switch FilePlacing.place(placement) {
            case .placed(let file): input = .placed(task: task, file)
            case .failed(let error): input = .failed(task: task, error, nil)
            case .isTaken:
                // Each name that is tried is written down: of many that are taken only the last is.
                let name = name ?? placement.target
                let number = FilePlacing.freeNumber(of: name, after: placement.number)
                input = .displaced(task: task, number: number)
            }
            self?.post { $0.report(input) }
        }
    }

    private func runCommand(_ run: Int, _ reason: BackgroundCommandReason) {
        guard let settings = book.ledger.state.settings, let text = settings.command else {
            return report(.commandEnded(run: run, status: nil))
        }
        let command = BackgroundCommand(
            text: text,
            folder: settings.commandFolder,
            identifier: settings.identifier,
            reason: reason,
            mask: settings.commandMask
        )
        surroundings.runCommand(command) { [weak self] status in
            self?.post { $0.report(.commandEnded(run: run, status: status)) }
        }
    }

    /// Looks whether the time is good, where that matters, and again later.
    func lookAtConditions() {
        guard !hasEnded, book.ledger.state.settings?.isDiscretionary == true else {
            waits = []
            looksAtConditions = false
            if !book.ledger.mayRun { report(.mayRun(true)) }
            return
        }
        looksAtConditions = true
        waits = surroundings.waits(!book.ledger.running.isEmpty)
        if waits.isEmpty != book.ledger.mayRun { report(.mayRun(waits.isEmpty)) }
        looks += 1
        post(after: surroundings.conditionsInterval) { [looks] host in
            // Another look that came meanwhile has its own next one.
            if host.looks == looks { host.lookAtConditions() }
        }
    }
}

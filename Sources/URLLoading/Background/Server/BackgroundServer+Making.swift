import FoundationEssentials

// Tasks are made: what they send is copied first.
extension BackgroundServer {
    /// What a client wants made.
    struct Making {
        var tasks: [BackgroundTaskRecord]
        /// What holds for the session from then on; `nil`: what it has.
        let settings: BackgroundSettings?
        let client: Int
    }

    /// Makes tasks, once the files that they send have been copied; until then nothing else is heard
    /// of this client, and no other makes any.
    ///
    /// Those with the number 0 get the session's next ones.
    func make(
        _ tasks: [BackgroundTaskRecord],
        under settings: BackgroundSettings? = nil,
        _ client: ProgramConnection
    ) {
        makings.append(Making(tasks: tasks, settings: settings, client: client.number))
        client.hold()
        if makings.count == 1 { beginMaking() }
    }

    private func beginMaking() {
        guard let first = makings.first else { return }
        var highest = journaled.machine.state.figures.lastTask
        let tasks = first.tasks.map { task in
            var task = task
            if task.identifier == 0 { task.identifier = highest + 1 }
            // Of a number that none can have, none comes after it: that is refused.
            highest = min(max(highest, task.identifier), BackgroundTaskRecord.lastNumber)
            // Who has not heard that it was made asks again, of a copy that nobody has told them of.
            if let known = journaled.machine.state.tasks[task.identifier]?.record, task.body != nil
            {
                var same = known
                same.body = task.body
                if same == task { task = known }
            }
            return task
        }
        makings[0].tasks = tasks
        let isKnown = Set(journaled.machine.state.tasks.keys)
        let last = journaled.machine.state.figures.lastTask
        let copies = tasks.enumerated().compactMap { index, task in
            // No copy takes the place of another task's.
            task.identifier > last && !isKnown.contains(task.identifier)
                ? task.body.map { (index, $0, folder.bodyPath(of: task.identifier)) } : nil
        }
        guard !copies.isEmpty else { return endMaking() }
        SerialQueue("BackgroundServer.copying").async { [weak self] in
            let copied = copies.map { index, body, path in (index, body.copied(to: path)) }
            self?.post { server in
                for (index, body) in copied { server.makings[0].tasks[index].body = body }
                server.endMaking()
            }
        }
    }

    private func endMaking() {
        guard let made = makings.first, !hasEnded else { return }
        // Who has gone meanwhile has heard nothing, and may want the same again.
        guard connections[made.client] != nil else { return settleMaking(of: made.client) }
        var tasks = made.tasks
        if let settings = made.settings, let known = journaled.machine.state.settings {
            let next = known.taking(settings, for: &tasks)
            if next != known { report(.settings(next)) }
        }
        report(.make(tasks, from: made.client))
    }

    /// What a client wanted made is written down, or refused: it is the next one's turn.
    func settleMaking(of client: Int) {
        guard let made = makings.first, made.client == client else { return }
        makings.removeFirst()
        // Of what was refused, whyever.
        if made.tasks.contains(where: { $0.body != nil }) { sweep() }
        connections[client]?.release()
        beginMaking()
    }

    /// Removes the files of tasks that there are none of, nor going to be.
    func sweep() {
        let coming = Set(makings.flatMap(\.tasks).map(\.identifier))
        folder.sweep { journaled.machine.state.tasks[$0] != nil || coming.contains($0) }
    }
}

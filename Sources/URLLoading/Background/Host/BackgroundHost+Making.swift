import FoundationEssentials

// Tasks are made: what they send is copied first.
extension BackgroundHost {
    /// What a visitor wants made.
    struct Making {
        var tasks: [BackgroundTaskRecord]
        /// What holds for the session from then on; `nil`: what it has.
        let settings: BackgroundSettings?
        let visitor: Int
    }

    /// Makes tasks, once the files that they send have been copied; until then nothing else is heard
    /// of this visitor, and no other makes any.
    ///
    /// Those with the number 0 get the session's next ones.
    func make(
        _ tasks: [BackgroundTaskRecord],
        under settings: BackgroundSettings? = nil,
        _ visitor: BackgroundGuest
    ) {
        makings.append(Making(tasks: tasks, settings: settings, visitor: visitor.number))
        visitor.hold()
        if makings.count == 1 { beginMaking() }
    }

    private func beginMaking() {
        guard let first = makings.first else { return }
        var highest = book.ledger.state.figures.lastTask
        let tasks = first.tasks.map { task in
            var task = task
            if task.identifier == 0 { task.identifier = highest + 1 }
            // Of a number that none can have, none comes after it: that is refused.
            highest = min(max(highest, task.identifier), BackgroundTaskRecord.lastNumber)
            // Who has not heard that it was made asks again, of a copy that nobody has told them of.
            if let known = book.ledger.state.tasks[task.identifier]?.record, task.body != nil {
                var same = known
                same.body = task.body
                if same == task { task = known }
            }
            return task
        }
        makings[0].tasks = tasks
        let isKnown = Set(book.ledger.state.tasks.keys)
        let last = book.ledger.state.figures.lastTask
        let copies = tasks.enumerated().compactMap { index, task in
            // No copy takes the place of another task's.
            task.identifier > last && !isKnown.contains(task.identifier)
                ? task.body.map { (index, $0, folder.bodyPath(of: task.identifier)) } : nil
        }
        guard !copies.isEmpty else { return endMaking() }
        SerialQueue("BackgroundHost.copying").async { [weak self] in
            let copied = copies.map { index, body, path in (index, body.copied(to: path)) }
            self?.post { host in
                for (index, body) in copied { host.makings[0].tasks[index].body = body }
                host.endMaking()
            }
        }
    }

    private func endMaking() {
        guard let made = makings.first, !hasEnded else { return }
        // Who has gone meanwhile has heard nothing, and may want the same again.
        guard visitors[made.visitor] != nil else { return settleMaking(of: made.visitor) }
        var tasks = made.tasks
        if let settings = made.settings, let known = book.ledger.state.settings {
            let next = known.taking(settings, for: &tasks)
            if next != known { report(.settings(next)) }
        }
        report(.make(tasks, from: made.visitor))
    }

    /// What a visitor wanted made is written down, or refused: it is the next one's turn.
    func settleMaking(of visitor: Int) {
        guard let made = makings.first, made.visitor == visitor else { return }
        makings.removeFirst()
        // Of what was refused, whyever.
        if made.tasks.contains(where: { $0.body != nil }) { sweep() }
        visitors[visitor]?.release()
        beginMaking()
    }

    /// Removes the files of tasks that there are none of, nor going to be.
    func sweep() {
        let coming = Set(makings.flatMap(\.tasks).map(\.identifier))
        folder.sweep { book.ledger.state.tasks[$0] != nil || coming.contains($0) }
    }
}

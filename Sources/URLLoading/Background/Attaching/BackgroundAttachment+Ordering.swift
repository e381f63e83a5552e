import Dispatch
import FoundationEssentials

// What the program wants of its tasks. Nothing here but `settle()` waits: the rest may be called under a
// task's lock.
extension BackgroundAttachment {
    /// Takes a task that was just made.
    ///
    /// Nothing is said of it before the first order that concerns it or a later one, or the session's
    /// end: what the program says of it until then is written down with it.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - draft: what it is to do.
    ///   - settings: the session's.
    /// - Throws: why it cannot be made.
    nonisolated func take(
        _ task: URLSessionTask,
        _ draft: BackgroundTaskDraft,
        _ settings: SessionSettings
    ) throws(URLError) {
        let record = try draft.record(task.taskIdentifier, settings, at: task.created)
        post { attachment in
            guard attachment.phase != .over else { return }
            attachment.known.insert(record.identifier)
            attachment.drafts[record.identifier] = task
            attachment.orders.draft(record)
        }
    }

    /// Takes an order, in the order of the calls.
    nonisolated func order(_ order: BackgroundOrders.Order) {
        post { $0.take(order) }
    }

    private func take(_ order: BackgroundOrders.Order) {
        guard phase != .over else { return }
        switch order {
        case .resume(let task):
            guard orders.isDraft(task) else { break }
            commit(upTo: task, resuming: task)
            return flushSoon()
        case .suspend(let task):
            if orders.isDraft(task) { commit(upTo: task) }
        case .cancel(let task, _):
            guard orders.isDraft(task) else { break }
            orders.drop(task)
            drafts.removeValue(forKey: task)?.endElsewhere(URLError(.cancelled))
            return
        case .settings: break
        }
        orders.add(order)
        flushSoon()
    }

    /// Says what was said of no task yet.
    nonisolated func commitAll() {
        post { attachment in
            attachment.commit(upTo: nil)
            attachment.flushSoon()
        }
    }

    func commit(upTo last: Int?, resuming resumed: Int? = nil) {
        orders.commit(upTo: last) { record in
            // Made and resumed in one: there is no moment at which it is held on the disk.
            record.startsResumed = record.identifier == resumed
            guard let task = drafts.removeValue(forKey: record.identifier) else { return }
            task.tellStartOver()
            record.priority = task.priority
            record.taskDescription = task.taskDescription
        }
    }

    /// Waits until the transfer process has on the disk what was ordered before: the program may end,
    /// or be killed, once this returns.
    ///
    /// Not under a task's lock. It does not wait for room on the disk, nor longer than the dependencies say;
    /// what is not written down by then is said again for as long as the program runs.
    nonisolated func settle() {
        let settled = BlockingWait<Void>()
        post { attachment in
            attachment.settlements.append(settled)
            attachment.flush()
        }
        settled.wait(atMost: dependencies.timeout)
    }

    /// Lets those go on that wait in ``settle()``, where nothing is left to wait for.
    func signalIfSettled() {
        guard orders.isSettled || isHolding || phase == .over else { return }
        for settled in settlements { settled.end(()) }
        settlements = []
    }

    /// Says what there is to say, at the end of this turn of the queue.
    func flushSoon() {
        guard !isFlushing else { return }
        isFlushing = true
        post { attachment in
            attachment.isFlushing = false
            attachment.flush()
        }
    }

    func flush() {
        guard phase == .attached, !isHolding else { return signalIfSettled() }
        while let request = orders.next() {
            do throws(FrameError) {
                try connection?.send(request)
            } catch {
                // One task alone: of several none is as long.
                orders.answered()
                guard case .make(let tasks) = request else { continue }
                let words = "the request is too long for a background session"
                for task in tasks {
                    session?.task(task.identifier)?.endElsewhere(
                        URLError(.dataLengthExceedsMaximum, detail: words)
                    )
                }
            }
        }
        signalIfSettled()
        concludeIfDone()
    }

    /// Waits with orders, since the disk has no room for them.
    func hold() {
        orders.takeBack()
        guard !isHolding else { return }
        isHolding = true
        signalIfSettled()
        post(after: dependencies.retryInterval) { attachment in
            attachment.isHolding = false
            attachment.flush()
        }
    }

    /// Asks the delegate for a credential; once for each place, however often the question comes.
    func ask(_ task: Int, _ challenge: ChallengeRecord) {
        let place = challenge.place
        guard let asked = session?.task(task),
            asking[task, default: []].insert(place).inserted
        else { return }
        asked.ask(challenge) { [weak self] disposition, credential in
            self?.post { attachment in
                attachment.asking[task]?.remove(place)
                if attachment.asking[task]?.isEmpty == true { attachment.asking[task] = nil }
                attachment.send(
                    .answer(
                        task: task,
                        disposition: disposition.rawValue,
                        user: credential?.user,
                        password: credential?.password ?? credential?.keyPassword,
                        identity: credential?.identity?.absolute,
                        place: place
                    )
                )
            }
        }
    }
}

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
    func take(
        _ task: URLSessionTask,
        _ draft: BackgroundTaskDraft,
        _ settings: SessionSettings
    ) throws(URLError) {
        let record = try draft.record(task.taskIdentifier, settings, at: task.created)
        queue.async { [self] in
            guard phase != .over else { return }
            known.insert(record.identifier)
            drafts[record.identifier] = task
            orders.draft(record)
        }
    }

    /// Takes an order.
    func post(_ order: BackgroundOrders.Order) {
        queue.async { [self] in
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
    }

    /// Says what was said of no task yet.
    func commitAll() {
        queue.async { [self] in
            commit(upTo: nil)
            flushSoon()
        }
    }

    func commit(upTo last: Int?, resuming resumed: Int? = nil) {
        dispatchPrecondition(condition: .onQueue(queue))
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
    /// Not under a task's lock. It does not wait for room on the disk, nor longer than the site says;
    /// what is not written down by then is said again for as long as the program runs.
    func settle() {
        let settled = DispatchSemaphore(value: 0)
        queue.async { [self] in
            settlements.append(settled)
            flush()
        }
        _ = settled.wait(timeout: .now() + .milliseconds(Int(site.patience / .milliseconds(1))))
    }

    /// Lets those go on that wait in ``settle()``, where nothing is left to wait for.
    func signalIfSettled() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard orders.isSettled || isHolding || phase == .over else { return }
        for settled in settlements { settled.signal() }
        settlements = []
    }

    /// Says what there is to say, at the end of this turn of the queue.
    func flushSoon() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isFlushing else { return }
        isFlushing = true
        queue.async { [self] in
            isFlushing = false
            flush()
        }
    }

    func flush() {
        dispatchPrecondition(condition: .onQueue(queue))
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
        dispatchPrecondition(condition: .onQueue(queue))
        orders.takeBack()
        guard !isHolding else { return }
        isHolding = true
        signalIfSettled()
        queue.asyncAfter(deadline: .now() + site.retryInterval) { [weak self] in
            self?.isHolding = false
            self?.flush()
        }
    }

    /// Asks the delegate for a credential; once for each place, however often the question comes.
    func ask(_ task: Int, _ challenge: ChallengeRecord) {
        dispatchPrecondition(condition: .onQueue(queue))
        let place = challenge.place
        guard let asked = session?.task(task),
            asking[task, default: []].insert(place).inserted
        else { return }
        asked.ask(challenge) { [weak self] disposition, credential in
            guard let self else { return }
            queue.async { [self] in
                asking[task]?.remove(place)
                if asking[task]?.isEmpty == true { asking[task] = nil }
                send(
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

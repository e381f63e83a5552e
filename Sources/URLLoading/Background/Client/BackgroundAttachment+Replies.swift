import Dispatch
import FoundationEssentials

// Replies of the transfer process.
extension BackgroundAttachment {
    func take(_ event: BackgroundClient.Event) {
        switch event {
        case .connected, .unlocked: break
        case .reply(let reply):
            switch phase {
            case .away: takeFirst(reply)
            case .attached: take(reply)
            case .over: break
            }
        case .lost(let reason): takeLoss(reason)
        case .absent(let identifier): fail(Self.absence(identifier).urlError)
        case .failed(let error): fail(error.urlError)
        }
    }

    private func takeLoss(_ reason: String) {
        guard phase == .attached else {
            // The transfer process was just ending.
            if phase == .away { connect(again: true) }
            return
        }
        phase = .away
        requests.requeueSent()
        isStatusOut = false
        // A connection that lasted longer than the timeout begins a new row of losses.
        losses = MonotonicInstant.now - attachedSince > dependencies.timeout ? 1 : losses + 1
        guard losses < dependencies.lossLimit else {
            return fail(BackgroundError.disconnected(reason).urlError)
        }
        connect()
    }

    private func takeFirst(_ reply: BackgroundReply) {
        switch reply {
        case .tasks(let tasks):
            listed.formUnion(tasks.map(\.record.identifier))
            // The program's drafts may have the same numbers: they are abandoned before tasks are adopted.
            if token == nil, !requests.hasDrafts { adopt(tasks) } else { firstTasks += tasks }
        case .attached(let status): attached(status)
        case .inUse(let process): fail(BackgroundError.inUse(process: process).urlError)
        case .done(let error?): fail(error.urlError)
        default: break
        }
    }

    private func attached(_ status: BackgroundStatus) {
        if let token, token != status.settings.token {
            let words = "the session was removed and created again"
            return fail(BackgroundError.disconnected(words).urlError)
        }
        if token == nil {
            token = status.settings.token
            accepted = cursor?.token == token ? cursor?.sequence ?? 0 : 0
            reported = accepted
            // These tasks are of an earlier session, whose process ended before it had listed all tasks.
            for task in known.subtracting(listed) where !requests.isDraft(task) {
                known.remove(task)
                session?.task(task)?.endInTransferProcess(
                    BackgroundError.disconnected("its session was removed").urlError
                )
            }
        }
        acknowledged = reported
        phase = .attached
        attachedSince = .now
        if var settings = Optional(status.settings), let wanted {
            settings.adopt(wanted)
            if settings != status.settings { requests.add(.settings(settings: wanted)) }
        }
        let lastTask = min(max(0, status.counters.lastTask), BackgroundTaskRecord.lastNumber)
        for task in requests.drafts(upTo: lastTask) { abandon(task) }
        adopt(firstTasks)
        session?.count(upTo: min(lastTask, BackgroundTaskRecord.lastNumber - 1))
        self.status = self.status ?? (status, isEmpty: listed.isEmpty)
        (firstTasks, listed) = ([], [])
        endConnecting()
        flushSoon()
    }

    private func take(_ reply: BackgroundReply) {
        switch reply {
        case .made, .done(nil):
            requests.replyReceived()
            flush()
        case .refused(let tasks, let code, let detail):
            requests.replyReceived()
            let error = URLError(URLError.Code(rawValue: code), detail: detail)
            for task in tasks { session?.task(task)?.endInTransferProcess(error) }
            flush()
        case .done: pauseRequests()
        case .event(let delivery):
            losses = 0
            // The previous transfer process may have sent this event already.
            guard delivery.sequence > accepted else { return }
            accepted = delivery.sequence
            inbox.append(delivery)
            updateReading()
            reportNext()
        case .progress(let progress):
            losses = 0
            session?.task(progress.task)?.noteProgress(progress)
        case .waiting(let task, let reason):
            guard reason == DiscretionaryConditions.Wait.network.rawValue,
                reportedWaiting.insert(task).inserted
            else { return }
            session?.task(task)?.noteWaiting()
        case .challenge(let task, let challenge): ask(task, challenge)
        case .tasks(let tasks): adopt(tasks)
        case .status(let status): takeStatus(status)
        case .attached, .inUse: break
        }
    }

    /// Adopts tasks that existed before, or that another client has made or changed.
    private func adopt(_ tasks: [BackgroundStatus.Task]) {
        for task in tasks {
            let number = task.record.identifier
            if known.insert(number).inserted {
                // The session is about to end, so this task is for the next client. Its events must not be
                // acknowledged here without a delegate call.
                if session?.adopt(task, from: self) == false { isDetaching = true }
            } else if requests.isStored {
                session?.task(number)?.noteStatus(task)
            }
        }
    }

    /// Ends a draft whose number another client has used meanwhile.
    private func abandon(_ task: Int) {
        known.remove(task)
        let words = "another program has created a task with the same number"
        requests.drop(task)?.endInTransferProcess(URLError(.resourceUnavailable, detail: words))
    }
}

import Dispatch
import FoundationEssentials

// Replies of the transfer process.
extension BackgroundAttachment {
    func take(_ event: BackgroundClient.Event) {
        switch event {
        case .connected, .unlocked: break
        case .attached(let status): attached(status)
        case .reply(let reply): if phase == .attached { take(reply) }
        case .lost(let reason): takeLoss(reason)
        case .absent(let identifier): fail(Self.absence(identifier).urlError)
        case .failed(let error): fail(error.urlError)
        }
    }

    private func takeLoss(_ reason: String) {
        guard phase == .attached else { return }
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

    private func attached(_ status: BackgroundStatus) {
        if let token, token != status.settings.token {
            let words = "the session was removed and created again"
            return fail(BackgroundError.disconnected(words).urlError)
        }
        if token == nil {
            token = status.settings.token
            accepted = cursor?.token == token ? cursor?.sequence ?? 0 : 0
            reported = accepted
        }
        acknowledged = reported
        phase = .attached
        attachedSince = .now
        if var settings = Optional(status.settings), let wanted {
            settings.adopt(wanted)
            if settings != status.settings { requests.add(.settings(settings: wanted)) }
        }
        let lastTask = min(max(0, status.counters.lastTask), BackgroundTaskRecord.lastNumber)
        // The program's drafts may have the same numbers as the tasks that are adopted.
        let drafts = requests.drafts(upTo: lastTask)
        for task in drafts { abandon(task) }
        let last = lastKnown
        if let first = drafts.first { lastKnown = first - 1 }
        adopt(status.tasks)
        lastKnown = max(lastKnown, last)
        session?.count(upTo: min(lastTask, BackgroundTaskRecord.lastNumber - 1))
        if self.status == nil {
            var first = status
            first.tasks = []
            self.status = (first, isEmpty: status.tasks.isEmpty)
        }
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
            if case .completed(let task, _, _, _) = delivery.event { reportedWaiting.remove(task) }
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
        // `BackgroundClient` handles these replies.
        case .attached, .inUse: break
        }
    }

    /// Adopts tasks that existed before, or that another client has made or changed.
    private func adopt(_ tasks: [BackgroundStatus.Task]) {
        for task in tasks {
            let number = task.record.identifier
            if number > lastKnown {
                lastKnown = number
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
        let words = "another program has created a task with the same number"
        requests.drop(task)?.endInTransferProcess(URLError(.resourceUnavailable, detail: words))
    }
}

// Delivery of events to the delegate, one at a time; and the end of the attachment.
extension BackgroundAttachment {
    /// The time during which acknowledgements are merged into one.
    private static let acknowledgementInterval = DispatchTimeInterval.milliseconds(50)
    /// The most events in `inbox`; the transfer process keeps the others.
    private static let inboxLimit = 500

    /// Reports the next event to the delegate, once the delegate's previous call has returned.
    func reportNext() {
        guard !isReporting, !isDetaching, phase != .over, !inbox.isEmpty, let session else {
            return
        }
        let delivery = inbox.removeFirst()
        updateReading()
        isReporting = true
        guard !session.report(delivery) else { return }
        // The event would count as reported although the delegate was not called.
        isReporting = false
        let task = delivery.event.task ?? 0
        let words = "it reports task \(task), which this program does not have"
        fail(BackgroundError.disconnected(words).urlError)
    }

    /// Stops reading while `inbox` is full, unless a request has no reply yet.
    func updateReading() {
        client?.setReading(inbox.count < Self.inboxLimit || !requests.isStored)
    }

    /// Notes that the delegate's call for an event has returned.
    nonisolated func didReport(_ sequence: Int) {
        post { $0.take(reported: sequence) }
    }

    private func take(reported sequence: Int) {
        isReporting = false
        guard !isRefused else { return concludeIfDone() }
        reported = max(reported, sequence)
        let isLate =
            lastAcknowledgement.map { $0 + Self.acknowledgementInterval <= .now() } ?? true
        if inbox.isEmpty || isLate || isDetaching { acknowledge() }
        reportNext()
        concludeIfDone()
    }

    /// Treats the event of the current delegate call as not reported.
    nonisolated func refuseEvent() {
        post { attachment in
            attachment.isRefused = attachment.isReporting
            // The session's end must not wait for further events either.
            attachment.isDetaching = attachment.isDetaching || attachment.isRefused
        }
    }

    func acknowledge() {
        guard phase == .attached, reported > acknowledged else { return }
        send(.acknowledge(sequence: reported))
        acknowledged = reported
        lastAcknowledgement = .now()
    }

    /// Ends the attachment once all requests are sent, at the latest after `dependencies.timeout`.
    ///
    /// If it is detaching, the remaining events stay for the next client.
    nonisolated func conclude(
        detaching isDetaching: Bool,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        post { attachment in
            attachment.conclusion = completionHandler
            attachment.isDetaching = attachment.isDetaching || isDetaching
            if isDetaching { attachment.commit(upTo: nil) }
            attachment.post(after: attachment.dependencies.timeout / .seconds(1)) { $0.finish() }
            attachment.flush()
            attachment.concludeIfDone()
        }
    }

    /// Ends the attachment if nothing is left to send or receive.
    func concludeIfDone() {
        guard conclusion != nil else { return }
        guard phase != .over else { return finish() }
        guard !isReporting, requests.isStored, isDetaching || inbox.isEmpty else { return }
        acknowledge()
        if isDetaching { finish() } else { askStatus() }
    }

    /// Asks the transfer process whether all acknowledgements are on disk and no event is left.
    private func askStatus() {
        guard phase == .attached, !isStatusOut else { return }
        isStatusOut = true
        send(.summary)
    }

    func takeStatus(_ status: BackgroundStatus) {
        guard conclusion != nil else { return }
        guard status.undelivered > 0 else { return finish() }
        // The last acknowledgement is not on the disk yet.
        post(after: 0.02) { attachment in
            attachment.isStatusOut = false
            attachment.concludeIfDone()
        }
    }

    private func finish() {
        guard let conclusion else { return }
        self.conclusion = nil
        acknowledge()
        endAttachment()
        conclusion()
    }
}

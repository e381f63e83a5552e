import Dispatch

// Events, which the delegate is told one after another; and the end.
extension BackgroundAttachment {
    /// How long several acknowledgements may become one.
    private static let acknowledgementInterval = DispatchTimeInterval.milliseconds(50)
    /// How many events wait here at most; the others wait in the transfer process.
    private static let inboxLimit = 500

    /// Has the delegate told of the next event, once it has been told of the one before.
    func reportNext() {
        guard !isReporting, !isDetaching, phase != .over, !inbox.isEmpty, let session else {
            return
        }
        let delivery = inbox.removeFirst()
        updateReading()
        isReporting = true
        guard !session.report(delivery) else { return }
        // It would count as told though the delegate was not called.
        isReporting = false
        let task = delivery.event.task ?? 0
        let words = "it tells of task \(task), which this program does not have"
        fail(BackgroundError.disconnected(words).urlError)
    }

    /// Reads no more events than the delegate is told, except while a reply is waited for.
    func updateReading() {
        client?.setReading(inbox.count < Self.inboxLimit || !requests.isStored)
    }

    /// An event has been told: the delegate's call has returned.
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

    /// Takes the event that is being told for one that was not.
    nonisolated func refuseEvent() {
        post { attachment in
            attachment.isRefused = attachment.isReporting
            // Where the session ends already, that waits for nothing more to be told, either.
            attachment.isDetaching = attachment.isDetaching || attachment.isRefused
        }
    }

    /// Acknowledges what was told.
    func acknowledge() {
        guard phase == .attached, reported > acknowledged else { return }
        send(.acknowledge(sequence: reported))
        acknowledged = reported
        lastAcknowledgement = .now()
    }

    /// Ends when all has been sent; what the session's end waits for is bounded.
    ///
    /// - Parameters:
    ///   - isDetaching: whether events that are left stay for the next client.
    ///   - completionHandler: called on the queue.
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

    /// Ends where nothing is left to be sent, or received.
    func concludeIfDone() {
        guard conclusion != nil else { return }
        guard phase != .over else { return finish() }
        guard !isReporting, requests.isStored, isDetaching || inbox.isEmpty else { return }
        acknowledge()
        guard isDetaching || areAllDelivered else { return askStatus() }
        finish()
    }

    /// Finds out whether what was acknowledged is on the disk, and nothing else is to be told.
    private func askStatus() {
        guard phase == .attached, !isStatusOut else { return }
        isStatusOut = true
        send(.summary)
    }

    func takeStatus(_ status: BackgroundStatus) {
        guard conclusion != nil else { return }
        areAllDelivered = status.undelivered == 0
        guard !areAllDelivered else {
            isStatusOut = false
            return concludeIfDone()
        }
        // It is on its way, or on its way to the disk.
        post(after: 0.02) { attachment in
            attachment.isStatusOut = false
            attachment.concludeIfDone()
        }
    }

    private func finish() {
        guard let conclusion else { return }
        self.conclusion = nil
        acknowledge()
        shut()
        conclusion()
    }
}

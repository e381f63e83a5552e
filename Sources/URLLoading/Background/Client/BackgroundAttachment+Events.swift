import Dispatch

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
        guard isDetaching || areAllDelivered else { return askStatus() }
        finish()
    }

    /// Asks the transfer process whether all acknowledgements are on disk and no event is left.
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

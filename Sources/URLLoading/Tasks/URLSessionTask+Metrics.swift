import Dispatch
import FoundationEssentials
import Synchronization

// What a task costs: collected if there is a delegate, and reported once, just before the end.
extension URLSessionTask {
    /// Whether there is a delegate for them.
    private func expectsMetrics(_ locked: borrowing Locked) -> Bool {
        guard session.settings.transport.collectsMetrics else { return false }
        return audience(locked) != nil
    }

    /// Records that a hop begins, if there is a delegate for metrics.
    ///
    /// - Parameters:
    ///   - request: what is asked for.
    ///   - fields: the header as it is sent; `nil`: the request's own.
    ///   - locked: of the task.
    /// - Returns: whether there is.
    @discardableResult
    func noteHop(
        _ request: URLRequest,
        sending fields: [HTTPHeaderFields.Field]? = nil,
        _ locked: inout Locked
    ) -> Bool {
        guard expectsMetrics(locked) else { return false }
        locked.metrics.begin(request, sending: fields ?? request.headerFields.fields)
        return true
    }

    /// The metrics for the end; `nil` without a delegate.
    func metrics(_ locked: borrowing Locked) -> URLSessionTaskMetrics? {
        guard expectsMetrics(locked) else { return nil }
        return locked.metrics.metrics(since: created, redirects: locked.lifecycle.redirects)
    }

    /// Hands a response's head on, where heads are recorded; of one that is stored, as it would
    /// have come.
    func reportHead(_ head: HopHead, _ locked: borrowing Locked) {
        guard session.settings.transport.recordsHeads else { return }
        reportHeads(head.raw ?? Data(head.text.utf8), locked)
    }

    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {
        locked.withLock { locked in
            guard let delegate = audience(locked) else { return }
            session.queue.async { [self] in
                delegate.urlSession(session, task: self, didTrace: trace)
            }
        }
    }

    /// Hands heads on as they came, where they are recorded.
    func reportHeads(_ bytes: Data?, _ locked: borrowing Locked) {
        guard let bytes, let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, task: self, didReceiveHeads: bytes)
        }
    }
}

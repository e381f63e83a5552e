import Dispatch
import FoundationEssentials
import Synchronization

// What a task costs: gathered where a delegate listens, and told once, just before the end.
extension URLSessionTask {
    /// Whether there is a delegate to tell.
    private func expectsMetrics(_ locked: borrowing Locked) -> Bool {
        guard session.settings.transport.collectsMetrics else { return false }
        return audience(locked) != nil
    }

    /// Notes that a hop begins, where there is a delegate to tell.
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

    /// What is to be told at the end; `nil` where no delegate listens.
    func metrics(_ locked: borrowing Locked) -> URLSessionTaskMetrics? {
        guard expectsMetrics(locked) else { return nil }
        return locked.metrics.metrics(since: created, redirects: locked.lifecycle.redirects)
    }

    /// Hands a response's head on, where heads are recorded; of one that is stored, as it would
    /// have come.
    func tellHead(_ head: HopHead, _ locked: borrowing Locked) {
        guard session.settings.transport.recordsHeads else { return }
        tellHeads(head.raw ?? Data(head.text.utf8), locked)
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
    func tellHeads(_ bytes: Data?, _ locked: borrowing Locked) {
        guard let bytes, let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, task: self, didReceiveHeads: bytes)
        }
    }
}

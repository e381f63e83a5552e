import Dispatch
import FoundationEssentials
import Synchronization

// Metrics: collected if there is a delegate, and reported once, just before the end.
extension URLSessionTask {
    /// Whether metrics are collected, and a delegate receives them.
    private func expectsMetrics(_ locked: borrowing Locked) -> Bool {
        guard session.settings.transport.collectsMetrics else { return false }
        return effectiveDelegate(locked) != nil
    }

    /// Records the begin of a hop, if metrics are collected; returns whether they are.
    ///
    /// `fields` are the header fields that the hop sends; `nil`: the request's fields.
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

    /// The metrics for the task's end; `nil` where none are collected.
    func metrics(_ locked: borrowing Locked) -> URLSessionTaskMetrics? {
        guard expectsMetrics(locked) else { return nil }
        return locked.metrics.metrics(since: created, redirects: locked.lifecycle.redirects)
    }

    /// Reports a response's head to the delegate, if the session records heads; the head of a stored
    /// response is HTTP/1.1 text.
    func reportHead(_ head: HopHead, _ locked: borrowing Locked) {
        guard session.settings.transport.recordsHeads else { return }
        reportHeads(head.raw ?? Data(head.text.utf8), locked)
    }

    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {
        report { task, locked in
            task.report(locked) { $0.urlSession($1, task: task, didTrace: trace) }
        }
    }

    func reportHeads(_ bytes: Data?, _ locked: borrowing Locked) {
        guard let bytes else { return }
        report(locked) { [self] in $0.urlSession($1, task: self, didReceiveHeads: bytes) }
    }
}

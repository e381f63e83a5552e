import Dispatch
import FoundationEssentials

// What a task costs: gathered where somebody listens, and told once, just before the end.
extension URLSessionTask {
    /// Whether there is anybody to tell.
    func expectsMetrics(_ locked: Locked) -> Bool {
        session.settings.transport.collectsMetrics && audience(locked) != nil
    }

    /// What is to be told at the end; `nil` where nobody listens.
    func metrics(_ locked: Locked) -> URLSessionTaskMetrics? {
        guard expectsMetrics(locked) else { return nil }
        return locked.metrics.metrics(since: created, redirects: locked.lifecycle.redirects)
    }

    /// Hands an answer's head on, where heads are recorded; of one that is stored, as it would have
    /// come.
    func tellHead(_ head: HopHead, _ locked: Locked) {
        guard session.settings.transport.recordsHeads else { return }
        tellHeads(head.raw ?? Data(head.text.utf8), locked)
    }

    /// Hands heads on as they came, where they are recorded.
    func tellHeads(_ bytes: Data?, _ locked: Locked) {
        guard let bytes, let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, task: self, didReceiveHeads: bytes)
        }
    }
}

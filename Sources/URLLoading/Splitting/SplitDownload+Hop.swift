import Dispatch
import FoundationEssentials
import Synchronization

// The task's calls to its hop, which concern all streams. The task calls under its lock, so no method
// here calls the task.
extension SplitDownload: RunningHop {
    func decide(_ disposition: BodyDisposition) { first?.decide(disposition) }

    func decide(_ disposition: TrustDecision, about trust: ServerTrust) {
        first?.decide(disposition, about: trust)
    }

    func consumed(_ bytes: Int) { first?.consumed(bytes) }

    func suspend() {
        let hops = state.withLock { state in
            state.isSuspended = true
            state.stopwatch.stop()
            return state.hops
        }
        for hop in hops { hop.suspend() }
    }

    func resume() {
        let hops = state.withLock { state in
            state.isSuspended = false
            state.stopwatch.start()
            return state.hops
        }
        for hop in hops { hop.resume() }
        later { $0.pump() }
    }

    func cancel() {
        let hops = state.withLock { state in
            state.isCancelled = true
            return state.hops
        }
        for hop in hops { hop.cancel() }
        later { $0.concludeIfOver() }
    }

    func setPriority(_ priority: Float) {
        for hop in state.withLock({ $0.hops }) { hop.setPriority(priority) }
    }

    private var first: (any RunningHop)? { state.withLock { $0.first } }

    /// Runs work that reports to the task, on another queue.
    private func later(_ work: @escaping @Sendable (SplitDownload) -> Void) {
        guard state.withLock({ $0.work != nil }) else { return }
        DispatchQueue.global().async { work(self) }
    }
}

extension SplitDownload {
    /// Notes the end of the first hop; with other streams, the task is notified when all have ended.
    func firstEnded(_ end: HopEnd) {
        let isShared = state.withLock { state in
            state.firstEnd = end
            return state.work != nil
        }
        guard isShared else { return client.hop(id, didEnd: end) }
        let failure = end.error.map { (DownloadSplitLimit.failed($0.code), $0) }
        ended(0, end, failure)
    }
}

extension SplitDownload.State {
    var hops: [any RunningHop] {
        work?.hops ?? (first.map { [$0] } ?? [])
    }
}

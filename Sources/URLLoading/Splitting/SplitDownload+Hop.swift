import Dispatch
import FoundationEssentials
import Synchronization

// What the task asks of its hop: all streams are meant. It is called under the task's lock, so
// nothing is told to the task from here.
extension SplitDownload: RunningHop {
    func decide(_ disposition: BodyDisposition) {
        first?.decide(disposition)
    }

    func decide(_ answer: TrustAnswer, about trust: ServerTrust) {
        first?.decide(answer, about: trust)
    }

    func consumed(_ bytes: Int) {
        first?.consumed(bytes)
    }

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

    /// Does something that the task is told about.
    private func later(_ work: @escaping @Sendable (SplitDownload) -> Void) {
        guard state.withLock({ $0.work != nil }) else { return }
        DispatchQueue.global().async { work(self) }
    }
}

// What the first hop tells its task: it goes on to that, but for the end, for which the others are
// waited for.
extension SplitDownload: HopClient {
    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustAnswer? {
        client.hop(id, didReceive: trust)
    }

    func hop(_ id: HopID, didReceiveInformational head: HopHead) {
        client.hop(id, didReceiveInformational: head)
    }

    func hop(_ id: HopID, didTrace trace: URLSessionTaskTrace) {
        client.hop(id, didTrace: trace)
    }

    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition {
        client.hop(id, didReceive: head)
    }

    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition {
        client.hop(id, didReceive: response)
    }

    func hop(_ id: HopID, didReceive data: Data) {
        client.hop(id, didReceive: data)
    }

    func hop(_ id: HopID, didSend total: Int64) {
        client.hop(id, didSend: total)
    }

    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {
        client.hop(id, didResumeAt: offset, total: total)
    }

    func hop(_ id: HopID, didWrite total: Int64) {
        client.hop(id, didWrite: total)
    }

    func hop(_ id: HopID, didEnd end: HopEnd) {
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
    /// Every hop that is out.
    var hops: [any RunningHop] {
        guard let work else { return first.map { [$0] } ?? [] }
        return work.members.values.compactMap(\.hop)
    }
}

/// Who is told of a download that comes in several streams, besides what every hop tells.
protocol SplitClient: HopClient {
    /// The request for a part, with a proof of its own of who one is; `nil`: nobody wants it any
    /// more.
    func hop(
        _ id: HopID,
        provesPart request: PreparedRequest,
        through proxy: ProxyServer?
    ) -> PreparedRequest?

    /// A server has shown itself for a part: what was answered about it before. Nobody is asked.
    func hop(_ id: HopID, recalls trust: ServerTrust) -> TrustAnswer

    /// What a server that wants a client certificate is shown for a part.
    func identityForPart(_ id: HopID) -> HopIdentity

    /// There are so many streams now, or are going to be; `limit` says why not more.
    func hop(_ id: HopID, didSplitInto streams: Int, _ limit: DownloadSplitLimit?)

    /// A part's hop is over.
    func hop(_ id: HopID, didEndPart part: PartReport)
}

/// What came of a part's hop, for those who want to know what it cost.
struct PartReport: Sendable {
    var request: PreparedRequest
    var head: HopHead?
    var end: HopEnd
}

import FoundationEssentials
import Synchronization

// The end, when the last stream has come to its own.
extension SplitDownload {
    private struct Over {
        var end: HopEnd
        /// What has come, where that was not told yet.
        var last: Int64?
        var download: Download
    }

    /// Tells the task that the hop is over, once, if it is.
    func concludeIfOver() {
        let over = state.withLock { state -> Over? in
            guard !state.hasEnded, var work = state.work, work.members.isEmpty, !work.isMarking
            else { return nil }
            let isWhole = work.ledger.isComplete
            // Somebody may be about to begin.
            guard isWhole || state.isCancelled || work.problem != nil else { return nil }
            state.hasEnded = true
            let taken = work.ledger.received
            let last = work.progress.isNew(taken) ? taken : nil
            let end = end(work, state, isWhole: isWhole)
            state.work = nil
            return Over(end: end, last: last, download: work.download)
        }
        guard let over else { return }
        if over.end.startOver != nil || over.end.download == nil {
            // The file is made anew, by somebody who wants its lock.
            over.download.settle()
            over.download.close(keeping: false)
        }
        if let last = over.last { client.hop(id, didWrite: last) }
        client.hop(id, didEnd: over.end)
    }

    private func end(_ work: Work, _ state: State, isWhole: Bool) -> HopEnd {
        var end = state.firstEnd ?? HopEnd()
        // What became of the first stream is not what becomes of the file.
        end.error = nil
        // Those of the first stream are among them.
        end.digestFindings = work.findings
        end.download = work.download
        if isWhole {
            work.download.file.cut(to: work.ledger.total)
            work.download.received = ReceivedRanges(prefix: work.ledger.total)
            return end
        }
        if let reason = work.startOver, !state.isCancelled {
            end.download = nil
            end.startOver = reason
            end.forbidsSplitting = true
            return end
        }
        end.error = work.problem ?? URLError(.cancelled)
        // What is wrong is not to be gone on with.
        if end.error?.code == .bodyDigestMismatch {
            end.download = nil
            return end
        }
        let received = work.received
        if received.marker == nil { work.download.file.cut(to: received.count) }
        work.download.received = received
        return end
    }
}

import FoundationEssentials
import Synchronization

/// One stream of a split download, as its sink sees it.
struct SplitStream: Sendable {
    let split: SplitDownload
    let number: Int
    let download: Download
    /// The file offset of its first byte.
    let start: Int64
}

// Calls by the streams' sinks, on their threads.
extension SplitDownload {
    /// Decides how many of the bytes that have just arrived a stream's sink writes.
    func grant(_ number: Int, _ bytes: Int) -> (count: Int, isEnough: Bool) {
        let granted = withWork { work, _ -> (RangeAllocator.Grant, (any RunningHop)?)? in
            guard work.problem == nil else { return nil }
            work.hasMoved = true
            let grant = work.allocator.grant(number, Int64(bytes))
            return (grant, grant.superseded.flatMap { work.members[$0]?.hop })
        }
        guard let (grant, superseded) = granted else { return (0, true) }
        superseded?.cancel()
        return (Int(grant.count), grant.isEnough)
    }

    /// Notes that this many bytes of a stream are in the file.
    func wrote(_ number: Int, _ bytes: Int) {
        state.withLock { $0.work?.allocator.write(number, Int64(bytes)) }
    }

    /// Reports progress and saves resume data, where due, at the end of a loop's iteration.
    func iterationEnded(_ now: MonotonicInstant) {
        let total = withWork { work, _ in
            if work.hasMoved {
                work.hasMoved = false
                work.lastMove = now
            }
            if work.download.isKeptOnDisk,
                work.progress.isSaveDue(work.allocator.written.count, at: now)
            {
                let received = work.received
                if work.download.save(received) { work.progress.noteSaved(received.count) }
            }
            let taken = work.allocator.received
            return work.progress.isDue(taken, at: now) ? taken : nil
        }
        if let total { client.hop(id, didWrite: total) }
    }

    /// Reports the last bytes of a stream that has ended: other streams, which may be stalled, do not know
    /// that a report is due.
    func reportProgress() {
        let total = withWork { work, state in
            guard !state.isCancelled, work.problem == nil else { return nil as Int64? }
            let taken = work.allocator.received
            return work.progress.noteIfNew(taken) ? taken : nil
        }
        if let total { client.hop(id, didWrite: total) }
    }

    /// When the loop must end an iteration even if no byte arrives.
    var nextDeadline: MonotonicInstant? {
        state.withLock { state in
            guard let work = state.work else { return nil }
            return work.progress.next(
                taken: work.allocator.received,
                written: work.allocator.written.count,
                isKeptOnDisk: work.download.isKeptOnDisk
            )
        }
    }
}

extension SplitDownload.Work {
    /// The ranges that are in the file.
    var received: ReceivedRanges {
        let written = allocator.written
        guard hasTrailer else { return ReceivedRanges(prefix: written.prefix) }
        return ReceivedRanges(written, trailer: trailer)
    }
}

// The end of the hop, after the end of its last stream.
extension SplitDownload {
    /// Reports the end of the hop to the task, once, if the hop is over.
    func concludeIfOver() {
        let over = state.withLock { state -> (end: HopEnd, last: Int64?, download: Download)? in
            guard !state.hasEnded, var work = state.work, work.members.isEmpty,
                !work.isWritingTrailer
            else { return nil }
            let isWhole = work.allocator.isComplete
            // Otherwise a stream may be about to begin.
            guard isWhole || state.isCancelled || work.problem != nil else { return nil }
            state.hasEnded = true
            let taken = work.allocator.received
            let last = work.progress.noteIfNew(taken) ? taken : nil
            let end = end(work, state, isWhole: isWhole)
            state.work = nil
            return (end, last, work.download)
        }
        guard let over else { return }
        let notify: @Sendable () -> Void = { [self] in
            if let last = over.last { client.hop(id, didWrite: last) }
            client.hop(id, didEnd: over.end)
        }
        guard over.end.startOver != nil || over.end.download == nil else { return notify() }
        // The next hop creates the file again, and needs its lock. The close is queued behind any save:
        // this code may run on the save queue or a loop's thread, and must not wait.
        over.download.enqueue {
            over.download.close(keeping: false)
            notify()
        }
    }

    private func end(_ work: Work, _ state: State, isWhole: Bool) -> HopEnd {
        let end = state.firstEnd ?? HopEnd()
        // An error of the first stream is not an error of the download.
        end.error = nil
        // These include the findings of the first stream.
        end.digestFindings = work.findings
        end.download = work.download
        if isWhole {
            work.download.received = ReceivedRanges(prefix: work.allocator.total)
            do throws(URLError) {
                try work.download.file.cut(to: work.allocator.total)
            } catch {
                // The download could not cut the trailer off: the file is unusable.
                end.error = error
                end.download = nil
            }
            return end
        }
        if let reason = work.startOver, !state.isCancelled {
            end.download = nil
            end.startOver = reason
            end.forbidsSplitting = true
            return end
        }
        end.error = work.problem ?? URLError(.cancelled)
        // A file with a wrong digest cannot be continued.
        if end.error?.code == .bodyDigestMismatch {
            end.download = nil
            return end
        }
        let received = work.received
        if received.trailer == nil { try? work.download.file.cut(to: received.count) }
        work.download.received = received
        return end
    }
}

import Synchronization

/// One stream of a split download, as its sink knows it.
struct SplitStream: Sendable {
    let split: SplitDownload
    let number: Int
    let download: Download
    /// Its first byte's place in the file.
    let start: Int64
}

// What the streams' sinks tell, on their threads.
extension SplitDownload {
    /// A stream has brought so many bytes: what becomes of them.
    func claim(_ number: Int, _ bytes: Int) -> (count: Int, isEnough: Bool) {
        let (claim, superseded) = state.withLock { state in
            guard var work = state.work, work.problem == nil else {
                return (SplitLedger.Claim(count: 0, isEnough: true), nil as (any RunningHop)?)
            }
            state.work = nil
            defer { state.work = work }
            let claim = work.ledger.claim(number, Int64(bytes))
            work.hasMoved = true
            return (claim, claim.superseded.flatMap { work.members[$0]?.hop })
        }
        superseded?.cancel()
        return (Int(claim.count), claim.isEnough)
    }

    /// So many bytes of a stream's are in the file.
    func wrote(_ number: Int, _ bytes: Int) {
        state.withLock { $0.work?.ledger.write(number, Int64(bytes)) }
    }

    /// A turn of a stream's thread is over: what is due is reported, and written down.
    func turnEnded(_ now: ContinuousClock.Instant) {
        let total = state.withLock { state in
            guard var work = state.work else { return nil as Int64? }
            state.work = nil
            defer { state.work = work }
            if work.hasMoved {
                work.hasMoved = false
                work.lastMove = now
            }
            if work.download.isKeptOnDisk,
                work.progress.isSaveDue(work.ledger.written.count, at: now)
            {
                let received = work.received
                if work.download.save(received) { work.progress.noteSaved(received.count) }
            }
            let taken = work.ledger.received
            return work.progress.isDue(taken, at: now) ? taken : nil
        }
        if let total { client.hop(id, didWrite: total) }
    }

    /// When a turn must end again, though nothing comes.
    var nextTurn: ContinuousClock.Instant? {
        state.withLock { state in
            guard let work = state.work else { return nil }
            return work.progress.next(
                taken: work.ledger.received,
                written: work.ledger.written.count,
                isKeptOnDisk: work.download.isKeptOnDisk
            )
        }
    }
}

extension SplitDownload.Work {
    /// What is in the file.
    var received: ReceivedRanges {
        let written = ledger.written
        guard isMarked else { return ReceivedRanges(prefix: written.prefix) }
        return ReceivedRanges(written, marker: marker)
    }
}

import Synchronization

// What the streams' sinks tell, on their threads.
extension SplitDownload {
    /// The delegate hears of what came no more often than this.
    private static let reportInterval: Duration = .milliseconds(100)
    /// How long a download lasts before its resume data is written, and how often it is then.
    private static let saveInterval: Duration = .seconds(1)

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
            var total: Int64?
            if work.lastReport.map({ now - $0 >= Self.reportInterval }) ?? true {
                work.lastReport = now
                total = work.report()
            }
            guard work.record.isKeptOnDisk, now - work.lastSave >= Self.saveInterval,
                work.ledger.written.count > work.saved
            else { return total }
            work.lastSave = now
            let received = work.received
            if work.record.save(received) { work.saved = received.count }
            return total
        }
        if let total { client.hop(id, didWrite: total) }
    }

    /// When a turn must end again, though nothing comes.
    var nextTurn: ContinuousClock.Instant? {
        state.withLock { state in
            guard let work = state.work else { return nil }
            if let last = work.lastReport, work.ledger.received > work.reported {
                return last + Self.reportInterval
            }
            guard work.record.isKeptOnDisk, work.ledger.written.count > work.saved else {
                return nil
            }
            return work.lastSave + Self.saveInterval
        }
    }
}

extension SplitDownload.Work {
    /// What is in the file.
    var received: DownloadRecord.Received {
        let written = ledger.written
        guard isMarked else { return .init(count: written.prefix) }
        return .init(count: written.count, pieces: .init(ranges: written, mark: mark))
    }

    /// All that has come, unless that was told already.
    mutating func report() -> Int64? {
        let total = ledger.received
        guard total > reported else { return nil }
        reported = total
        return total
    }
}

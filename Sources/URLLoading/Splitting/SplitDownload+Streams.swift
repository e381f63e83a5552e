import Dispatch
import FoundationEssentials
import Synchronization

// Streams besides the first: opening them, and handling their ends.
extension SplitDownload {
    /// The tolerance for the comparison of two clocks.
    private static let leeway: Duration = .milliseconds(50)

    /// The longest wait that a server's `Retry-After` can cause.
    private static let maximumRetryAfter: Duration = .seconds(300)

    struct Opening {
        var number: Int
        var range: Range<Int64>
        var lane: Int
        var work: Work
        var timeLeft: Duration?
    }

    /// Opens as many streams as the limit and the remaining ranges allow.
    func pump() {
        while let opening = state.withLock({ nextOpening(&$0) }) { launch(opening) }
    }

    private func nextOpening(_ state: inout State) -> Opening? {
        guard var work = state.work, work.hasTrailer || work.members.isEmpty,
            work.waitsUntil == nil, work.problem == nil,
            !state.isSuspended, !state.isCancelled, !state.hasEnded,
            work.members.count < work.streamLimit.count
        else { return nil }
        let number = work.made
        let idle = work.streamLimit.count - work.members.count
        guard let range = work.allocator.assign(number, among: idle) else { return nil }
        work.made += 1
        let lane = work.idlestLane(of: lanes)
        work.members[number] = Member(hop: nil, lane: lane)
        state.work = work
        return Opening(
            number: number,
            range: range,
            lane: lane,
            work: work,
            timeLeft: template.timeLimit.map { $0 - state.stopwatch.elapsed }
        )
    }

    /// The number of loop threads to use: TLS can keep a core busy, plain HTTP does not.
    private var lanes: Int {
        template.request.isSecure ? min(limit, ProcessInfo.processInfo.activeProcessorCount) : 1
    }

    private func launch(_ opening: Opening) {
        guard
            var request = client.hop(id, provesPart: template.request, through: template.proxy)
        else {
            return ended(opening.number, HopEnd(), (.failed(.cancelled), URLError(.cancelled)))
        }
        for name in ["If-None-Match", "If-Modified-Since"] { request.remove(name) }
        let (first, last) = (opening.range.lowerBound, opening.range.upperBound - 1)
        request.replace(by: [
            .init(name: "Range", value: "bytes=\(first)-\(last)"),
            .init(name: "If-Range", value: opening.work.validator.text),
        ])
        var hop = template
        hop.request = request
        hop.identity = client.identityForPart(id)
        hop.responseContext = ResponseContext(method: request.method)
        hop.responseContext.checksDigestFields = template.responseContext.checksDigestFields
        hop.readsCookies = false
        hop.lane = opening.lane
        hop.isAlone = opening.work.needsOwnConnections
        // The other streams go on meanwhile.
        hop.waitsForNetwork = false
        hop.timeLimit = opening.timeLeft.map { max($0, .milliseconds(1)) }
        let part = PartHop(self, opening, request)
        do throws(URLError) {
            try state.withLock { state throws(URLError) in
                guard !state.isCancelled, state.work?.problem == nil,
                    state.work?.allocator.streams[opening.number] != nil
                else { throw URLError(.cancelled) }
                let running = try transport.start(hop, id: id, client: part)
                if state.isSuspended { running.suspend() }
                state.work?.members[opening.number]?.hop = running
            }
        } catch {
            ended(opening.number, HopEnd(), (.failed(error.code), error))
        }
    }

    /// Notes that a part's response has bytes up to `reach`; returns whether the download needs them.
    func began(_ number: Int, reach: Int64) -> Bool {
        let isWanted = state.withLock { state in
            state.work?.allocator.begin(number, reach: reach) ?? false
        }
        // With this response begun, more of the file may be shared among streams.
        pump()
        return isWanted
    }

    /// Notes a stream's end, with an error unless the download ended it, and the wait that the server asks
    /// for.
    func ended(
        _ number: Int,
        _ end: HopEnd,
        _ failure: (limit: DownloadSplitLimit, error: URLError)?,
        asked: Duration? = nil
    ) {
        var reduction: (streams: Int, limit: DownloadSplitLimit)?
        let hops = withWork { work, state -> [any RunningHop]? in
            let stream = work.allocator.close(number)
            work.members[number] = nil
            work.findings += end.digestFindings
            let mismatch = failure?.error.digestMismatch
            // Bytes with a wrong digest do not count as received, whatever else happened.
            if mismatch != nil, let stream { work.allocator.forget(stream) }
            guard !state.isCancelled, work.problem == nil else { return [] }
            if let mismatch {
                work.problem = failure?.error
                if template.responseContext.startsOverOnDigestMismatch {
                    work.startOver = .digestMismatch(mismatch)
                }
                return work.hops
            }
            // A stream that has lost its range to another cannot fail any more. But a response of the server
            // still counts: other streams would get the same one.
            let isReported = failure?.limit.isResponse == true && !work.members.isEmpty
            guard stream != nil || isReported else { return [] }
            guard !work.allocator.isComplete else {
                // We do not cancel a stream at the end of its response: its digest check is about to follow.
                let others = work.members.filter { !work.allocator.isAtEnd($0.key) }
                return others.compactMap(\.value.hop)
            }
            if let asked {
                let left = template.timeLimit.map { $0 - state.stopwatch.elapsed }
                let wait = min(asked, Self.maximumRetryAfter, left ?? .seconds(1 << 30))
                work.askedUntil = max(work.askedUntil ?? .now, .now + wait)
            }
            // The wait applies only when no other stream is running.
            if work.members.isEmpty, let moment = work.askedUntil, moment > .now {
                postpone(&work, for: moment - .now)
            }
            var failure = failure
            if failure == nil, let stream, stream.next < stream.end, stream.gained == 0 {
                let words = "the response contained no new bytes"
                let error = URLError(.networkConnectionLost, detail: words)
                failure = (.failed(error.code), error)
            }
            guard let failure else {
                work.streamLimit.succeeded()
                return []
            }
            if isFatal(failure.error, state, work) {
                work.problem = failure.error
                return work.hops
            }
            let before = work.streamLimit.count
            handle(failure, stream?.gained ?? 0, &work)
            if work.streamLimit.count < before {
                reduction = (work.streamLimit.count, failure.limit)
            }
            return work.problem == nil ? [] : work.hops
        }
        for hop in hops ?? [] { hop.cancel() }
        if let reduction { client.hop(id, didSplitInto: reduction.streams, reduction.limit) }
        reportProgress()
        pump()
        concludeIfOver()
    }

    private func handle(
        _ failure: (limit: DownloadSplitLimit, error: URLError),
        _ gained: Int64,
        _ work: inout Work
    ) {
        let (live, isFinal) = (work.members.count, failure.limit.isFinal)
        switch work.streamLimit.failed(gained: gained, live: live, isFinal: isFinal) {
        case .proceed: break
        case .giveUp:
            work.problem = failure.error
            work.startOver = failure.limit.startOver
        case .wait(let duration): postpone(&work, for: duration)
        }
    }

    /// Opens no stream for this duration, or longer if an earlier delay lasts longer.
    private func postpone(_ work: inout Work, for duration: Duration) {
        let moment = MonotonicInstant.now + duration
        if let other = work.waitsUntil, other >= moment { return }
        work.waitsUntil = moment
        DispatchQueue.global().asyncAfter(deadline: .now() + duration / .seconds(1)) {
            [weak self] in
            guard let self else { return }
            state.withLock { state in
                if state.work?.waitsUntil == moment { state.work?.waitsUntil = nil }
            }
            pump()
            concludeIfOver()
        }
    }

    /// Whether every other stream would fail too: the file is not writable, or the time limit has passed.
    private func isFatal(_ error: URLError, _ state: State, _ work: Work) -> Bool {
        switch error.code {
        case .cannotWriteToFile, .cannotCreateFile: return true
        case .timedOut:
            if let limit = template.timeLimit, state.stopwatch.elapsed >= limit - Self.leeway {
                return true
            }
            // Silence of one stream is not fatal; silence of all streams is.
            guard let limit = template.idleTimeout else { return false }
            return MonotonicInstant.now - work.lastMove >= limit - Self.leeway
        default: return false
        }
    }
}

extension SplitDownload.Work {
    var hops: [any RunningHop] { members.values.compactMap(\.hop) }

    /// The thread with the fewest streams.
    fileprivate func idlestLane(of lanes: Int) -> Int {
        (0..<max(1, lanes)).min { one, other in
            members.values.count { $0.lane == one } < members.values.count { $0.lane == other }
        } ?? 0
    }
}

extension DownloadSplitLimit {
    /// Whether the limit is due to a server's response.
    fileprivate var isResponse: Bool {
        if case .refused = self { true } else { isFinal }
    }

    /// Whether the server would respond the same to a further request.
    fileprivate var isFinal: Bool { startOver != nil }

    /// Why the received bytes are unusable, if they are.
    fileprivate var startOver: DownloadStartOver? {
        switch self {
        case .rangesNotSupported: .rangesNotSupported
        case .entityChanged: .entityChanged
        case .unexpectedRange(let words): .unexpectedRange(words)
        case .tooSmall, .notIdentified, .refused, .failed: nil
        }
    }
}

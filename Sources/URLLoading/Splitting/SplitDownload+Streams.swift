import Dispatch
import FoundationEssentials
import Synchronization

// Streams besides the first: which begin, and what becomes of the work of those that end.
extension SplitDownload {
    /// By how much clocks may differ.
    private static let leeway: Duration = .milliseconds(50)

    /// What a server can ask for at the most.
    private static let longestAsked: Duration = .seconds(300)

    /// A stream that is to begin.
    struct Opening {
        var number: Int
        var range: Range<Int64>
        var lane: Int
        var work: Work
        var timeLeft: Duration?
    }

    /// Begins as many streams as there may be, and as there is work for.
    func pump() {
        while let opening = state.withLock({ nextOpening(&$0) }) { launch(opening) }
    }

    private func nextOpening(_ state: inout State) -> Opening? {
        guard var work = state.work, work.hasTrailer || work.members.isEmpty,
            work.waitsUntil == nil,
            work.problem == nil, !state.isSuspended, !state.isCancelled, !state.hasEnded,
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

    /// On how many threads it runs: TLS keeps a core busy, all else does not.
    private var lanes: Int {
        template.request.isSecure ? min(limit, ProcessInfo.processInfo.activeProcessorCount) : 1
    }

    private func launch(_ opening: Opening) {
        guard
            var request = client.hop(
                id,
                provesPart: template.request,
                through: template.proxy
            )
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
        hop.timeLimit = opening.timeLeft.map { max($0, .milliseconds(1)) }
        let part = PartHop(self, opening, request)
        var failure: URLError?
        state.withLock { state in
            guard !state.isCancelled, state.work?.problem == nil,
                state.work?.allocator.streams[opening.number] != nil
            else {
                failure = URLError(.cancelled)
                return
            }
            do throws(URLError) {
                let running = try transport.start(hop, id: id, client: part)
                if state.isSuspended { running.suspend() }
                state.work?.members[opening.number]?.hop = running
            } catch {
                failure = error
            }
        }
        guard let failure else { return }
        ended(opening.number, HopEnd(), (.failed(failure.code), failure))
    }

    /// A part's response has begun, with bytes up to there.
    ///
    /// - Returns: whether they are still wanted.
    func began(_ number: Int, reach: Int64) -> Bool {
        let isWanted = state.withLock { state in
            state.work?.allocator.begin(number, reach: reach) ?? false
        }
        // A stream that had to wait for others may find work again.
        pump()
        return isWanted
    }

    /// A stream is over.
    ///
    /// - Parameters:
    ///   - number: the stream's.
    ///   - end: how its hop ended.
    ///   - failure: what went wrong, if that was not wanted.
    ///   - asked: for how long the server wants to be left alone; `nil` where it does not say.
    func ended(
        _ number: Int,
        _ end: HopEnd,
        _ failure: (limit: DownloadSplitLimit, error: URLError)?,
        asked: Duration? = nil
    ) {
        var reduction: (streams: Int, limit: DownloadSplitLimit)?
        let hops = state.withLock { state -> [any RunningHop] in
            guard var work = state.work else { return [] }
            defer { state.work = work }
            let stream = work.allocator.close(number)
            work.members[number] = nil
            work.findings += end.digestFindings
            let mismatch = failure?.error.digestMismatch
            // Wrong bytes are none, whatever else has happened.
            if mismatch != nil, let stream { work.allocator.forget(stream) }
            guard !state.isCancelled, work.problem == nil else { return [] }
            if let mismatch {
                work.problem = failure?.error
                if template.responseContext.startsOverOnDigestMismatch {
                    work.startOver = .digestMismatch(mismatch)
                }
                return work.members.values.compactMap(\.hop)
            }
            // A stream whose range another has taken over has nothing left to fail at. But the
            // response that it got, others would get too.
            let isReported = failure?.limit.isResponse == true && !work.members.isEmpty
            guard stream != nil || isReported else { return [] }
            guard !work.allocator.isComplete else {
                // A stream that has brought all of its response is about to say whether it was the
                // right one.
                return work.members.filter { !work.allocator.isAtEnd($0.key) }.compactMap(
                    \.value.hop
                )
            }
            let before = work.streamLimit.count
            if let asked {
                let left = template.timeLimit.map { $0 - state.stopwatch.elapsed }
                let wait = min(asked, Self.longestAsked, left ?? .seconds(1 << 30))
                work.askedUntil = max(work.askedUntil ?? .now, .now + wait)
            }
            // While others are served they bring what there is to bring.
            if work.members.isEmpty, let moment = work.askedUntil, moment > .now {
                hold(&work, for: moment - .now)
            }
            if let failure {
                work.lastFailure = failure
                if isFatal(failure.error, state, work) {
                    work.problem = failure.error
                    return work.members.values.compactMap(\.hop)
                }
                weigh(failure, stream?.gained ?? 0, &work)
            } else if let stream, stream.next < stream.end, stream.gained == 0 {
                let error = URLError(
                    .networkConnectionLost,
                    detail: "the response contained no new bytes"
                )
                work.lastFailure = (.failed(error.code), error)
                weigh((.failed(error.code), error), 0, &work)
            } else {
                work.streamLimit.succeeded()
            }
            if work.streamLimit.count < before, let limit = work.lastFailure?.limit {
                reduction = (work.streamLimit.count, limit)
            }
            return work.problem == nil ? [] : work.members.values.compactMap(\.hop)
        }
        for hop in hops { hop.cancel() }
        if let reduction { client.hop(id, didSplitInto: reduction.streams, reduction.limit) }
        pump()
        concludeIfOver()
    }

    private func weigh(
        _ failure: (limit: DownloadSplitLimit, error: URLError),
        _ gained: Int64,
        _ work: inout Work
    ) {
        let verdict = work.streamLimit.failed(
            gained: gained,
            live: work.members.count,
            isFinal: failure.limit.isFinal
        )
        switch verdict {
        case .goOn: break
        case .giveUp:
            work.problem = failure.error
            work.startOver = failure.limit.startOver
        case .wait(let duration): hold(&work, for: duration)
        }
    }

    /// Lets no stream begin for a while, or longer where a server has asked for that.
    private func hold(_ work: inout Work, for duration: Duration) {
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

    /// Whether no other stream would do any better: the file cannot be written, or time is up.
    private func isFatal(_ error: URLError, _ state: State, _ work: Work) -> Bool {
        switch error.code {
        case .cannotWriteToFile, .cannotCreateFile: return true
        case .timedOut:
            if let limit = template.timeLimit, state.stopwatch.elapsed >= limit - Self.leeway {
                return true
            }
            // One stream's silence is nothing; that of all is the end.
            guard let limit = template.idleTimeout else { return false }
            return MonotonicInstant.now - work.lastMove >= limit - Self.leeway
        default: return false
        }
    }
}

extension SplitDownload.Work {
    /// The thread that has least to do.
    fileprivate func idlestLane(of lanes: Int) -> Int {
        (0..<max(1, lanes)).min { one, other in
            members.values.count { $0.lane == one } < members.values.count { $0.lane == other }
        } ?? 0
    }
}

extension DownloadSplitLimit {
    /// Whether it is a server's response.
    fileprivate var isResponse: Bool {
        if case .refused = self { true } else { isFinal }
    }

    /// Whether the server would say the same again.
    fileprivate var isFinal: Bool {
        switch self {
        case .rangesNotSupported, .entityChanged, .unexpectedRange: true
        case .tooSmall, .notIdentified, .refused, .failed: false
        }
    }

    /// Why nothing that is there is of use, where that is so.
    fileprivate var startOver: DownloadStartOver? {
        switch self {
        case .rangesNotSupported: .rangesNotSupported
        case .entityChanged: .entityChanged
        case .unexpectedRange(let words): .unexpectedRange(words)
        case .tooSmall, .notIdentified, .refused, .failed: nil
        }
    }
}

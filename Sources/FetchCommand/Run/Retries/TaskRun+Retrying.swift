import FoundationEssentials
import Synchronization
import URLLoading

// What is decided about a try that failed: once, by whoever knows of it first.
extension TaskRun {
    /// Decides about an answer with an error status, at its head: what becomes of its body depends on
    /// whether it is the last word.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - task: the session's task.
    ///   - maxTime: what the whole may take; nil is without end.
    /// - Returns: whether there is going to be another try.
    func isTriedAgain(
        after response: HTTPURLResponse,
        _ task: URLSessionTask,
        maxTime: Duration?
    ) -> Bool {
        let now = Date.now.timeIntervalSince1970
        let asked = RetryAfter.wait(response.headerFields, now: now)
        let event = RetryFailure.Event.status(response.statusCode, retryAfter: asked)
        return decision(on: event, of: task, reached: nil, maxTime: maxTime).isRetry
    }

    /// Decides about the try that failed, unless that was done.
    ///
    /// - Parameters:
    ///   - event: what it ended with.
    ///   - task: the session's task; nil where there was none.
    ///   - reached: how far the body has come, bytes; nil where it has not come any further.
    ///   - maxTime: what the whole may take; nil is without end.
    /// - Returns: what is to be done.
    func decision(
        on event: RetryFailure.Event,
        of task: URLSessionTask?,
        reached: Int64?,
        maxTime: Duration?
    ) -> RetryDecision {
        var failure = RetryFailure(event: event)
        if let task { failure.method = task.currentRequest?.httpMethod ?? "GET" }
        let timeLeft = maxTime.map { started + $0 - .now }
        return state.withLock { state in
            // What our own side has ended is over, whatever an answer's head has said.
            if !event.isOurs, let decision = state.decision { return decision }
            failure.mayBeginAtFirst = state.beginsLater && !state.hasBegunAtFirst
            // What is only held so far can be forgotten.
            if let delivered = state.delivered, delivered.count > 0, held == nil,
                turn?.hasCome ?? true
            {
                failure.obstacle = delivered.obstacle
            }
            let decision = state.retries.decision(
                on: failure,
                reached: reached ?? state.retries.furthest,
                timeLeft: timeLeft
            )
            state.decision = decision
            return decision
        }
    }

    /// Says where the next try begins.
    func note(beginsLater: Bool) {
        state.withLock { $0.beginsLater = beginsLater }
    }

    /// A try begins at the first URL again, though one has come further: once.
    func noteBeginsAtFirst() {
        state.withLock { $0.hasBegunAtFirst = true }
    }

    /// So much of the file was there before the first try.
    func note(beginsAt count: Int64) {
        state.withLock { $0.retries.begin(at: count) }
    }

    /// Notes what the files of the request's body are, before they are sent first.
    func noteSentFiles() {
        guard plan.body.isSent, current.sentFiles == nil else { return }
        let files = SentFiles(of: plan.body)
        state.withLock { $0.sentFiles = files }
    }
}

// Bodies that go out as they come.
extension TaskRun {
    /// The body of this answer is going out, from its first byte.
    func note(delivering body: DeliveredBody) {
        state.withLock { $0.delivered = body }
    }

    /// So much of what comes went out before.
    ///
    /// - Parameters:
    ///   - skip: bytes.
    ///   - length: of the whole; nil where it is not known.
    func note(skip: Int64, of length: Int64?) {
        state.withLock { state in
            state.skip = skip
            state.continued = length.map { (from: state.delivered?.count ?? 0, whole: $0) }
        }
    }

    /// What of a piece did not go out before.
    func takeNew(_ data: Data) -> Data {
        let dropped = state.withLock { state in
            let dropped = min(state.skip, Int64(data.count))
            state.skip -= dropped
            return Int(dropped)
        }
        return dropped == 0 ? data : data.dropFirst(dropped)
    }

    /// So many bytes went out.
    func note(delivered bytes: Int64) {
        state.withLock { state in
            state.bytes += bytes
            state.delivered?.count += bytes
        }
    }

    /// Drops what would go out but has not yet, where others write first or the body is kept back.
    ///
    /// - Returns: whether nothing has gone out.
    func forgetHeld() -> Bool {
        guard held.map({ $0.forget() }) ?? turn?.forget() ?? false else { return false }
        state.withLock { state in
            state.bytes = 0
            state.delivered = nil
            state.skip = 0
            state.continued = nil
        }
        current.proof?.reset()
        return true
    }

    /// What went out of the body, if that is more than nothing.
    var deliveredPart: DeliveredBody? {
        current.delivered.flatMap { $0.count > 0 ? $0 : nil }
    }
}

extension TaskRun {
    /// A part that is worth its request, bytes.
    private static let leastPart: Int64 = 64 << 10
    /// How many in a row may be less before they come slowly: a server could draw it out for ever.
    private static let mostCrumbs = 16

    /// Asks for what follows a part that a server has sent less of than it was asked for.
    ///
    /// - Returns: whether that is to wait a little.
    func beginNextPart() -> Bool {
        let isCrumb = current.advance < Self.leastPart
        beginAgain()
        return state.withLock { state in
            state.nextParts += 1
            state.crumbs = isCrumb ? state.crumbs + 1 : 0
            return state.crumbs > Self.mostCrumbs
        }
    }
}

extension TaskRun.State {
    /// The bytes that the answer has brought which goes on with a body.
    fileprivate var advance: Int64 {
        guard let continued, let delivered else { return 0 }
        return delivered.count - continued.from
    }

    /// Whether the answer that goes on with a body has ended before that: a server may send less
    /// than it was asked for.
    var isShort: Bool {
        guard let continued, let delivered else { return false }
        return delivered.count < continued.whole
    }

    /// Whether it has brought something all the same.
    var hasAdvanced: Bool {
        guard let continued, let delivered else { return false }
        return delivered.count > continued.from
    }
}

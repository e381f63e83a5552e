import HTTPSemantics
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    /// Errors of the network, under names.
    enum Failure: CaseIterable {
        case lost, temporaryNameError, unreachable, refused, trust, forbiddenProxy, busyProxy, own

        var error: RetryFailure.NetworkError {
            switch self {
            case .lost: .init(.transient, mayHaveReachedServer: true)
            case .temporaryNameError, .unreachable: .init(.transient, mayHaveReachedServer: false)
            case .refused: .init(.refused, mayHaveReachedServer: false)
            case .trust: .init(.permanent, mayHaveReachedServer: true)
            case .forbiddenProxy: .init(.tunnel(status: 403), mayHaveReachedServer: false)
            case .busyProxy: .init(.tunnel(status: 503), mayHaveReachedServer: false)
            case .own: .init(.own, mayHaveReachedServer: true)
            }
        }
    }

    private func failure(_ event: RetryFailure.Event, _ method: String = "GET") -> RetryFailure {
        RetryFailure(event: event, method: method)
    }

    private func decide(
        _ failure: RetryFailure,
        failed: Int = 1,
        timeLeft: Duration? = nil
    ) -> RetryDecision {
        decide(RetryPolicy(), failure, failed: failed, timeLeft: timeLeft)
    }

    private func decide(
        _ policy: RetryPolicy,
        _ failure: RetryFailure,
        failed: Int = 1,
        timeLeft: Duration? = nil
    ) -> RetryDecision {
        policy.decision(on: failure, failed: failed, timeLeft: timeLeft, jitter: 0)
    }

    @Test("T-15 a temporary error is tried again, and what else a policy asks for")
    func kinds() {
        var refusing = RetryPolicy()
        refusing.retriesRefused = true
        var all = RetryPolicy()
        all.retriesAllErrors = true
        let table: [(Failure, plain: Bool, refusing: Bool, all: Bool)] = [
            (.lost, true, true, true), (.temporaryNameError, true, true, true),
            (.unreachable, true, true, true), (.busyProxy, true, true, true),
            (.refused, false, true, true), (.trust, false, false, true),
            (.forbiddenProxy, false, false, true), (.own, false, false, false),
        ]
        #expect(table.count == Failure.allCases.count)
        for row in table {
            let failure = failure(.error(row.0.error))
            #expect(decide(failure).isRetry == row.plain, "\(row.0)")
            #expect(decide(refusing, failure).isRetry == row.refusing, "\(row.0)")
            #expect(decide(all, failure).isRetry == row.all, "\(row.0)")
        }
        #expect(decide(failure(.other)) == .giveUp(.isPermanent))
        #expect(decide(all, failure(.other)) == .giveUp(.isPermanent))
    }

    @Test("the statuses of the list are tried again, and no others")
    func statuses() {
        for status in 400...599 {
            let isListed = [408, 429, 500, 502, 503, 504].contains(status)
            let decision = decide(failure(.status(status, retryAfter: nil)))
            #expect(decision.isRetry == isListed, "\(status)")
        }
        let none = RetryPolicy(statuses: StatusList())
        #expect(!decide(none, failure(.status(503, retryAfter: nil))).isRetry)
        var list = StatusList([404])
        list.add(520...522)
        let own = RetryPolicy(statuses: list)
        #expect(decide(own, failure(.status(521, retryAfter: nil))).isRetry)
        #expect(!decide(own, failure(.status(503, retryAfter: nil))).isRetry)
    }

    @Test(
        "a request that may not be repeated is, as long as none of it has left",
        arguments: ["POST", "PATCH", "get"]
    )
    func unsafe(method: String) {
        var policy = RetryPolicy()
        policy.tries = nil
        let lost = failure(.error(Failure.lost.error), method)
        #expect(decide(policy, lost) == .giveUp(.mayBeDone(method: method)))
        #expect(decide(policy, failure(.error(Failure.temporaryNameError.error), method)).isRetry)
        #expect(decide(policy, failure(.error(Failure.unreachable.error), method)).isRetry)
        // The server has seen it, whatever it says.
        let busy = failure(.status(503, retryAfter: .seconds(1)), method)
        #expect(decide(policy, busy) == .giveUp(.mayBeDone(method: method)))
    }

    @Test(
        "requests that may be carried out twice are repeated",
        arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
    )
    func safe(method: String) {
        #expect(decide(failure(.error(Failure.lost.error), method)).isRetry)
    }

    @Test("so many tries, or without end")
    func limit() {
        let lost = failure(.error(Failure.lost.error))
        #expect(decide(lost, failed: 4).isRetry)
        #expect(decide(lost, failed: 5) == .giveUp(.isUsedUp))
        let endless = RetryPolicy(tries: nil)
        #expect(decide(endless, lost, failed: 1_000_000).isRetry)
        let once = RetryPolicy(tries: 1)
        #expect(decide(once, lost) == .giveUp(.isUsedUp))
    }

    @Test("a wait that the time for the whole would not let end is no wait")
    func timeLeft() {
        let lost = failure(.error(Failure.lost.error))
        #expect(decide(lost, timeLeft: .milliseconds(501)).isRetry)
        #expect(decide(lost, timeLeft: .milliseconds(500)) == .giveUp(.isTooLate))
    }

    @Test("what went out and cannot be gone on with ends it, whatever has failed")
    func cannotGoOn() {
        var lost = failure(.error(Failure.lost.error))
        lost.blocker = "why"
        #expect(decide(lost) == .giveUp(.cannotGoOn("why")))
        var permanent = failure(.error(Failure.trust.error))
        permanent.blocker = "why"
        #expect(decide(permanent) == .giveUp(.isPermanent))
    }

    @Test(
        "a redirect's URL that has run out leads back to the first",
        arguments: [401, 403, 404, 410]
    )
    func expiredLink(status: Int) {
        var failure = failure(.status(status, retryAfter: nil))
        #expect(decide(failure) == .giveUp(.isPermanent))
        failure.mayBeginAtFirst = true
        guard case .retry(_, fromFirst: true) = decide(failure) else {
            Issue.record("not tried again")
            return
        }
        #expect(decide(failure, failed: 5) == .giveUp(.isUsedUp))
        failure.event = .status(503, retryAfter: nil)
        guard case .retry(_, fromFirst: false) = decide(failure) else {
            Issue.record("not tried again where it failed")
            return
        }
    }

    @Test("a try that has brought something new is not counted, unless there is but one")
    func progress() {
        var tries = Tries(RetryPolicy())
        tries.begin(at: 10)
        let lost = failure(.error(Failure.lost.error))
        for reached in stride(from: Int64(20), through: 1_000, by: 10) {
            #expect(tries.decision(on: lost, reached: reached, timeLeft: nil).isRetry)
            #expect(tries.failed == 1)
        }
        for _ in 2...4 {
            #expect(tries.decision(on: lost, reached: 1_000, timeLeft: nil).isRetry)
        }
        #expect(tries.decision(on: lost, reached: 1_000, timeLeft: nil) == .giveUp(.isUsedUp))
        var once = Tries(RetryPolicy(tries: 1))
        #expect(once.decision(on: lost, reached: 5, timeLeft: nil) == .giveUp(.isUsedUp))
    }

    @Test("a wait may be the same each time, and a server may ask for so much and no more")
    func waits() {
        var policy = RetryPolicy(tries: nil)
        policy.fixedWait = .seconds(3)
        policy.longestAsked = .seconds(30)
        func decide(_ asked: Duration?, failed: Int) -> RetryDecision {
            let busy = failure(.status(503, retryAfter: asked))
            return policy.decision(on: busy, failed: failed, timeLeft: nil, jitter: 0.5)
        }
        for failed in [1, 9] {
            #expect(decide(nil, failed: failed) == .retry(RetryWait(.seconds(3)), fromFirst: false))
        }
        #expect(
            decide(.seconds(30), failed: 1) == .retry(RetryWait(.seconds(30)), fromFirst: false)
        )
        #expect(decide(.seconds(31), failed: 1) == .giveUp(.isAskedFor(.seconds(31))))
    }

    @Test("there is a time for tries, from the beginning or from the last advance")
    func timeLimits() {
        let start = ContinuousClock.now
        let lost = failure(.error(Failure.lost.error))
        func isRetried(_ limit: RetryPolicy.TimeLimit, after time: Duration, advance: Bool) -> Bool
        {
            var policy = RetryPolicy(tries: nil)
            policy.timeLimit = limit
            policy.fixedWait = .seconds(1)
            var tries = Tries(policy, now: start)
            let middle = tries.decision(
                on: lost,
                reached: advance ? 5 : 0,
                timeLeft: nil,
                now: start + .seconds(8)
            )
            #expect(middle.isRetry)
            return tries.decision(on: lost, reached: 0, timeLeft: nil, now: start + time).isRetry
        }
        for advance in [true, false] {
            #expect(
                isRetried(.sinceBeginning(.seconds(10)), after: .seconds(8.5), advance: advance)
            )
            #expect(!isRetried(.sinceBeginning(.seconds(10)), after: .seconds(9), advance: advance))
        }
        #expect(!isRetried(.sinceAdvance(.seconds(10)), after: .seconds(9), advance: false))
        #expect(isRetried(.sinceAdvance(.seconds(10)), after: .seconds(16), advance: true))
        #expect(!isRetried(.sinceAdvance(.seconds(10)), after: .seconds(17), advance: true))
    }
}

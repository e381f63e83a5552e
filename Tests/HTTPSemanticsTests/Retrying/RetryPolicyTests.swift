import HTTPSemantics
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    /// Network errors by name.
    enum Failure: CaseIterable {
        case lost, temporaryNameError, unreachable, refused, trust, forbiddenProxy, busyProxy, own

        var error: RetryFailure.NetworkError {
            switch self {
            case .lost: .init(.passing, mayHaveReachedServer: true)
            case .temporaryNameError, .unreachable: .init(.passing, mayHaveReachedServer: false)
            case .refused: .init(.refused, mayHaveReachedServer: false)
            case .trust: .init(.lasting, mayHaveReachedServer: true)
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

    @Test("T-15 the policy permits another attempt after transient errors and those it adds")
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
        #expect(decide(failure(.other)) == .giveUp(.isLasting))
        #expect(decide(all, failure(.other)) == .giveUp(.isLasting))
    }

    @Test("the policy permits another attempt only after the statuses of the list")
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
        "an unsafe request is repeated only while none of it has reached the server",
        arguments: ["POST", "PATCH", "get"]
    )
    func unsafe(method: String) {
        var policy = RetryPolicy()
        policy.tries = nil
        let lost = failure(.error(Failure.lost.error), method)
        #expect(decide(policy, lost) == .giveUp(.mayBeDone(method: method)))
        #expect(decide(policy, failure(.error(Failure.temporaryNameError.error), method)).isRetry)
        #expect(decide(policy, failure(.error(Failure.unreachable.error), method)).isRetry)
        // The server has received the request, whatever its status.
        let busy = failure(.status(503, retryAfter: .seconds(1)), method)
        #expect(decide(policy, busy) == .giveUp(.mayBeDone(method: method)))
    }

    @Test(
        "idempotent requests are repeated",
        arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
    )
    func safe(method: String) {
        #expect(decide(failure(.error(Failure.lost.error), method)).isRetry)
    }

    @Test("the policy limits the number of attempts, or leaves them without limit")
    func limit() {
        let lost = failure(.error(Failure.lost.error))
        #expect(decide(lost, failed: 4).isRetry)
        #expect(decide(lost, failed: 5) == .giveUp(.isUsedUp))
        let endless = RetryPolicy(tries: nil)
        #expect(decide(endless, lost, failed: 1_000_000).isRetry)
        let once = RetryPolicy(tries: 1)
        #expect(decide(once, lost) == .giveUp(.isUsedUp))
    }

    @Test("a wait that would pass the time limit is not begun")
    func timeLeft() {
        let lost = failure(.error(Failure.lost.error))
        #expect(decide(lost, timeLeft: .milliseconds(501)).isRetry)
        #expect(decide(lost, timeLeft: .milliseconds(500)) == .giveUp(.isTooLate))
    }

    @Test("output that cannot be continued ends the attempts after any error")
    func notContinuable() {
        var lost = failure(.error(Failure.lost.error))
        lost.blocker = "why"
        #expect(decide(lost) == .giveUp(.cannotGoOn("why")))
        var permanent = failure(.error(Failure.trust.error))
        permanent.blocker = "why"
        #expect(decide(permanent) == .giveUp(.isLasting))
    }

    @Test(
        "an expired URL of a redirect makes the next attempt start at the first URL",
        arguments: [401, 403, 404, 410]
    )
    func expiredLink(status: Int) {
        var failure = failure(.status(status, retryAfter: nil))
        #expect(decide(failure) == .giveUp(.isLasting))
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

    @Test("an attempt that received new bytes is not counted, unless only one attempt is allowed")
    func progress() {
        var counter = AttemptCounter(RetryPolicy())
        counter.begin(at: 10)
        let lost = failure(.error(Failure.lost.error))
        for reached in stride(from: Int64(20), through: 1_000, by: 10) {
            #expect(counter.decision(on: lost, reached: reached, timeLeft: nil).isRetry)
            #expect(counter.failed == 1)
        }
        for _ in 2...4 {
            #expect(counter.decision(on: lost, reached: 1_000, timeLeft: nil).isRetry)
        }
        #expect(counter.decision(on: lost, reached: 1_000, timeLeft: nil) == .giveUp(.isUsedUp))
        var once = AttemptCounter(RetryPolicy(tries: 1))
        #expect(once.decision(on: lost, reached: 5, timeLeft: nil) == .giveUp(.isUsedUp))
    }

    @Test("a policy may fix the wait, and may limit the wait that a server asks for")
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

    @Test("the time limit for attempts counts from the first attempt or from the last progress")
    func timeLimits() {
        let start = ContinuousClock.now
        let lost = failure(.error(Failure.lost.error))
        func isRetried(_ limit: RetryPolicy.TimeLimit, after time: Duration, advance: Bool) -> Bool
        {
            var policy = RetryPolicy(tries: nil)
            policy.timeLimit = limit
            policy.fixedWait = .seconds(1)
            var counter = AttemptCounter(policy, now: start)
            let middle = counter.decision(
                on: lost,
                reached: advance ? 5 : 0,
                timeLeft: nil,
                now: start + .seconds(8)
            )
            #expect(middle.isRetry)
            return counter.decision(on: lost, reached: 0, timeLeft: nil, now: start + time).isRetry
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

    /// Compiles only while each case of 1.0 is a case.
    private func name(_ reason: RetryDecision.Reason) -> String {
        switch reason {
        case .isLasting: "isLasting"
        case .mayBeDone(let method): method
        case .cannotGoOn(let words): words
        case .isUsedUp: "isUsedUp"
        case .isTooLate: "isTooLate"
        case .hasTakenTooLong: "hasTakenTooLong"
        case .isAskedFor(let wait): "\(wait)"
        }
    }

    @Test("a program may switch over the reasons by their names of 1.0")
    func stableNames() {
        #expect(name(.mayBeDone(method: "POST")) == "POST")
        #expect(name(.cannotGoOn("why")) == "why")
        #expect(name(.isAskedFor(.seconds(1))) == "1.0 seconds")
    }
}

import HTTPSemantics
import Testing

@testable import CurlMulti

@Suite("Clock of a transfer")
struct TransferClockTests {
    private let start = MonotonicInstant.now

    /// The reason of an expiry at a moment, and when to check again.
    private func check(
        _ clock: inout TransferClock,
        at seconds: Int,
        isIdleStopped: Bool = false
    ) -> (reason: TransferFailure.Reason?, next: Duration) {
        var next = start + .seconds(1_000)
        let now = start + .seconds(seconds)
        let failure = clock.expiry(now, isIdleStopped: isIdleStopped, next: &next)
        return (failure?.reason, next - start)
    }

    @Test("the idle timeout counts from the last activity")
    func idle() {
        var clock = TransferClock(idleTimeout: .seconds(10), timeLimit: nil, now: start)
        #expect(check(&clock, at: 9) == (nil, .seconds(10)))
        clock.noteActivity(start + .seconds(9))
        #expect(check(&clock, at: 10) == (nil, .seconds(19)))
        #expect(check(&clock, at: 19).reason == .idleTimeout)
    }

    @Test("a pause of the caller's own does not count as idle time")
    func stopped() {
        var clock = TransferClock(idleTimeout: .seconds(10), timeLimit: nil, now: start)
        #expect(check(&clock, at: 50, isIdleStopped: true) == (nil, .seconds(60)))
        #expect(check(&clock, at: 59).reason == nil)
        #expect(check(&clock, at: 60).reason == .idleTimeout)
    }

    @Test("the time limit covers the whole transfer, except the time when it is suspended")
    func whole() {
        var clock = TransferClock(idleTimeout: .seconds(30), timeLimit: .seconds(20), now: start)
        #expect(check(&clock, at: 5) == (nil, .seconds(20)))
        clock.suspend(start + .seconds(5))
        #expect(check(&clock, at: 100, isIdleStopped: true) == (nil, .seconds(130)))
        clock.resume(start + .seconds(100))
        #expect(check(&clock, at: 114) == (nil, .seconds(115)))
        #expect(check(&clock, at: 115).reason == .timeLimit)
    }

    @Test("a clock without limits never expires")
    func none() {
        var clock = TransferClock(idleTimeout: nil, timeLimit: nil, now: start)
        #expect(check(&clock, at: 900) == (nil, .seconds(1_000)))
    }
}

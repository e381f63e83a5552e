import Testing
import URLLoading

@testable import FetchCommand

@Suite struct RateHistoryTests {
    private let start = MonotonicInstant.now

    @Test func hasAValueForEachWholeSecond() {
        var history = RateHistory(from: 0, at: start)
        for (number, count) in [0, 50, 100, 100, 100, 400].enumerated() {
            history.note(Int64(count), at: start + .seconds(0.5) * number)
        }
        #expect(history.rates == [100, 0])
        history.note(400, at: start + .seconds(3))
        #expect(history.rates == [100, 0, 300])
    }

    @Test("the bytes between two notes are spread evenly")
    func isSpread() {
        var history = RateHistory(from: 0, at: start)
        history.note(1_000, at: start + .seconds(4))
        #expect(history.rates == [250, 250, 250, 250])
    }

    @Test func keepsTheLastValues() {
        var history = RateHistory(from: 0, at: start)
        for second in 1...20 { history.note(Int64(second * second), at: start + .seconds(second)) }
        #expect(history.rates == (13...20).map { Double(2 * $0 - 1) })
    }

    @Test func aLongSleepNeedsLittleWork() {
        var history = RateHistory(from: 0, at: start)
        history.note(5, at: start + .seconds(1))
        history.note(5, at: start + .seconds(3_600 * 24 * 365))
        #expect(history.rates == Array(repeating: 0, count: RateHistory.length))
    }

    @Test func jumpsWithoutAPeak() {
        var history = RateHistory(from: 0, at: start)
        history.jump(to: 1 << 30)
        history.note(1 << 30, at: start + .seconds(1))
        history.note(0, at: start + .seconds(2))
        #expect(history.rates == [0, 0])
    }
}

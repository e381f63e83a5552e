import Testing
import URLLoading

@testable import FetchCommand

@Suite struct RateMeterTests {
    private let start = MonotonicInstant.now

    private func meter(from count: Int64 = 0) -> RateMeter {
        RateMeter(over: .seconds(3), from: count, at: start)
    }

    /// Notes a steady flow from a second on, and returns the count at its end.
    private func flow(
        _ meter: inout RateMeter,
        _ bytesPerSecond: Double,
        _ seconds: ClosedRange<Double>,
        every step: Double = 0.1,
        from count: Int64 = 0
    ) -> Int64 {
        var time = seconds.lowerBound
        var total = Double(count)
        while time + step <= seconds.upperBound + 1e-9 {
            time += step
            total += bytesPerSecond * step
            meter.note(Int64(total.rounded()), at: start + .seconds(time))
        }
        return Int64(total.rounded())
    }

    @Test func hasNoRateAtFirst() {
        var meter = meter()
        #expect(meter.rate == nil)
        meter.note(1_000, at: start)
        #expect(meter.rate == nil)
        meter.note(1_000, at: start + .seconds(1))
        #expect(meter.rate == 1_000)
    }

    @Test(
        "the first rate is the mean so far, and does not climb from zero",
        arguments: [0.1, 1, 10]
    )
    func beginsWithTheMean(_ seconds: Double) throws {
        var meter = meter()
        meter.note(Int64(500 * seconds), at: start + .seconds(seconds))
        #expect(abs(try #require(meter.rate) - 500) < 1)
    }

    @Test(
        "the rate does not depend on how often the count is noted",
        arguments: [0.01, 0.1, 0.5, 2]
    )
    func isIndependentOfSteps(_ step: Double) throws {
        var meter = meter()
        let count = flow(&meter, 1_000, 0...20, every: step)
        #expect(abs(try #require(meter.rate) - 1_000) < 2)
        // The same time again at half the speed: after two time constants a seventh of the change
        // remains.
        _ = flow(&meter, 500, 20...26, every: step, from: count)
        #expect(abs(try #require(meter.rate) - 567) < 8)
    }

    @Test func decaysInAStall() throws {
        var meter = meter()
        let count = flow(&meter, 1_000_000, 0...10)
        _ = flow(&meter, 0, 10...13, from: count)
        let after3 = try #require(meter.rate)
        #expect((300_000...400_000).contains(after3))
        _ = flow(&meter, 0, 13...40, from: count)
        #expect(try #require(meter.rate) < 100)
    }

    @Test("the bytes of an earlier attempt do not count for the rate")
    func startsFromAnOffset() throws {
        var meter = meter(from: 1 << 30)
        let count = flow(&meter, 2_000, 0...5, from: 1 << 30)
        #expect(count == (1 << 30) + 10_000)
        #expect(abs(try #require(meter.rate) - 2_000) < 2)
    }

    @Test func aLowerCountMakesNoNegativeRate() throws {
        var meter = meter()
        let count = flow(&meter, 1_000, 0...5)
        #expect(count == 5_000)
        meter.note(0, at: start + .seconds(5.1))
        #expect(try #require(meter.rate) > 0)
        _ = flow(&meter, 1_000, 5.1...30)
        #expect(abs(try #require(meter.rate) - 1_000) < 2)
    }

    @Test func noRateWithoutElapsedTime() throws {
        var meter = meter()
        meter.note(10, at: start + .seconds(1))
        meter.note(1_000_000, at: start + .seconds(1))
        meter.note(1_000_000, at: start)
        #expect(meter.rate == 10)
    }
}

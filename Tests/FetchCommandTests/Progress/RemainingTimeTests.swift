import Testing
import URLLoading

@testable import FetchCommand

@Suite struct RemainingTimeTests {
    private let start = MonotonicInstant.now

    /// The shown seconds, while the rate varies randomly by a share in each tenth of a second.
    ///
    /// The rate comes from a meter over 15 seconds.
    private func shown(size: Int64, rate: Double, jitter: Double) -> [Int64] {
        var meter = RateMeter(over: .seconds(15), from: 0, at: start)
        var remaining = RemainingTime()
        var count = 0.0
        var shown: [Int64] = []
        var random: UInt64 = 7
        for step in 1... {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Double(random >> 33) / Double(1 << 31) * 2 - 1
            count += rate * 0.1 * (1 + jitter * noise)
            guard count < Double(size) else { break }
            let now = start + .seconds(0.1) * step
            meter.note(Int64(count), at: now)
            guard step >= 10 else { continue }
            let time = remaining.update(left: size - Int64(count), rate: meter.rate, at: now)
            if let seconds = time?.components.seconds, seconds != shown.last {
                shown.append(seconds)
            }
        }
        return shown
    }

    @Test("the remaining time decreases by a second each second", arguments: [0, 0.2, 0.9])
    func isSteady(jitter: Double) throws {
        let shown = shown(size: 100_000_000, rate: 1_000_000, jitter: jitter)
        let first = try #require(shown.first)
        #expect((70...130).contains(first))
        let rises = zip(shown, shown.dropFirst()).filter { $0 < $1 }
        #expect(rises.count <= (jitter > 0.5 ? 2 : 0), "\(rises)")
        #expect(try #require(shown.last) <= 1)
    }

    @Test func anUnknownRateHasNoRemainingTime() {
        var remaining = RemainingTime()
        #expect(remaining.update(left: 10, rate: nil, at: start) == nil)
        #expect(remaining.update(left: 10, rate: 0, at: start) == nil)
        #expect(remaining.update(left: .max, rate: 1, at: start) == nil)
        #expect(remaining.update(left: 10, rate: 1, at: start) == .seconds(10))
    }

    @Test(
        "the remaining time adapts to another rate within seconds, in one direction",
        arguments: [0.25, 4]
    )
    func follows(factor: Double) throws {
        var remaining = RemainingTime()
        _ = remaining.update(left: 100_000, rate: 1_000, at: start)
        var shown: [Duration] = []
        for step in 1...150 {
            let now = start + .seconds(0.1) * step
            let left = 100_000 - Int64(factor * 100 * Double(step))
            guard left > 0 else { break }
            let time = remaining.update(left: left, rate: 1_000 * factor, at: now)
            shown.append(try #require(time))
        }
        let wanted = 100 / factor - 15
        let last = try #require(shown.last) / .seconds(1)
        #expect(abs(last - wanted) <= max(1.5, 0.1 * wanted), "\(last) for \(wanted)")
        // The time rises or falls in one direction, without jumps.
        for (before, after) in zip(shown, shown.dropFirst()) {
            let step = (after - before) / .seconds(1)
            #expect(abs(step) < 25)
            #expect(factor < 1 || step < 0)
        }
    }

    @Test func isNeverNegative() {
        var remaining = RemainingTime()
        _ = remaining.update(left: 1_000, rate: 1_000, at: start)
        let time = remaining.update(left: 900, rate: 1_000, at: start + .seconds(100))
        #expect(time != nil && time ?? .zero >= .zero)
    }
}

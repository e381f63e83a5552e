import Testing
import URLLoading

@testable import FetchCommand

@Suite struct LinePolicyTests {
    private let start = MonotonicInstant.now

    /// The byte counts at which lines are printed for a transfer that is noted ten times a second.
    private func lines(
        size: Int64,
        known: Bool = true,
        rate: Int64,
        from offset: Int64 = 0
    ) -> [Int64] {
        var policy = LinePolicy(from: offset, at: start)
        var lines: [Int64] = []
        var count = offset
        var step = 0
        while count < size {
            step += 1
            count = min(size, count + rate / 10)
            let now = start + .milliseconds(100) * step
            if policy.isDue(count, of: known ? size : nil, at: now) {
                policy = LinePolicy(from: count, at: now)
                lines.append(count)
            }
        }
        return lines
    }

    @Test("a transfer of less than ten seconds has lines at its start and end only")
    func fast() {
        #expect(lines(size: 20_000_000, rate: 2_000_000) == [])
    }

    @Test("a long transfer has nine more lines, one for each tenth")
    func slow() {
        #expect(lines(size: 20_000, rate: 100) == (1...9).map { Int64($0 * 2_000) })
    }

    @Test("a transfer of medium length has a line each ten seconds")
    func middling() {
        #expect(lines(size: 30_000, rate: 1_000) == [10_000, 20_000])
    }

    @Test("a transfer of hours has a line each five minutes")
    func hours() {
        // The whole takes 10,000 seconds, so a tenth takes 1,000.
        let counts = lines(size: 1_000_000, rate: 100)
        #expect(counts.count == 33)
        #expect(counts.first == 30_000)
    }

    @Test("a line is due at each doubling without a length; earlier bytes are no progress")
    func unknownLength() {
        #expect(
            lines(size: 100_000, known: false, rate: 1_000) == [10_000, 20_000, 40_000, 80_000]
        )
        #expect(lines(size: 3_000, known: true, rate: 100, from: 1_000) == [2_000])
    }

    @Test func noLineWithoutProgress() {
        let policy = LinePolicy(from: 0, at: start)
        #expect(!policy.isDue(0, of: nil, at: start + .seconds(10_000)))
        #expect(!policy.isDue(5, of: 5, at: start + .seconds(10_000)))
        #expect(policy.isDue(.max, of: nil, at: start + .seconds(10)))
    }
}

import Testing

@testable import CurlMulti

@Suite("Pacer")
struct PacerTests {
    @Test("it allows a tenth of a second at first, then what time earns, and never saves up more")
    func allowance() throws {
        let start = ContinuousClock.now
        var pacer = try #require(Pacer(bytesPerSecond: 1_000, now: start))
        #expect(pacer.allowance(start) == 100)
        pacer.note(100)
        #expect(pacer.allowance(start) == 0)
        #expect(pacer.allowance(start + .milliseconds(50)) == 50)
        #expect(pacer.allowance(start + .seconds(10)) == 100)
    }

    @Test("a piece that was too large is waited off")
    func debt() throws {
        let start = ContinuousClock.now
        var pacer = try #require(Pacer(bytesPerSecond: 1_000, now: start))
        pacer.note(1_100)
        let next = pacer.nextByte - start
        #expect(next > .milliseconds(999) && next < .milliseconds(1_010))
        #expect(pacer.allowance(start + .milliseconds(500)) == 0)
        #expect(pacer.allowance(start + .milliseconds(1_011)) > 0)
    }

    @Test("no rate, no pacer")
    func none() {
        #expect(Pacer(bytesPerSecond: 0, now: .now) == nil)
    }
}

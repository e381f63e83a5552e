import Testing

@testable import HTTPSemantics

@Suite("Moments")
struct MonotonicInstantTests {
    @Test("a moment of the standard library's clock is the same moment here")
    func conversion() {
        _ = MonotonicInstant(.now)
        let before = MonotonicInstant.now
        let instant = ContinuousClock.now
        let after = MonotonicInstant.now
        let moment = MonotonicInstant(instant)
        // The pair of clock readings that relates the clocks may itself be a little apart.
        let tolerance: Duration = .milliseconds(500)
        #expect(before - tolerance <= moment && moment <= after + tolerance)
        #expect(MonotonicInstant(instant + .seconds(5)) - moment == .seconds(5))
    }

    @Test("moments never run backwards, and differ by the time between them")
    func order() {
        let first = MonotonicInstant.now
        let second = MonotonicInstant.now
        #expect(first <= second)
        #expect(first + .seconds(2) - first == .seconds(2))
        #expect(first - .seconds(2) < first)
    }
}

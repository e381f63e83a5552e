import Testing
import URLLoading

@testable import FetchCommand

/// A bar over a period of time.
@Suite struct BarTests {
    private let start = MonotonicInstant.now
    private let progress: TaskProgress
    private var bar: Bar

    init() {
        progress = TaskProgress(at: start)
        progress.name("file")
        bar = Bar(progress, at: start)
    }

    private mutating func updated(after seconds: Double) -> BarState {
        bar.update(at: start + .seconds(seconds))
        return bar.state
    }

    /// Receives at a constant rate, in steps of a tenth of a second.
    private mutating func receive(
        _ seconds: ClosedRange<Double>,
        rate: Double,
        from count: Int64
    ) -> BarState {
        var time = seconds.lowerBound
        while time < seconds.upperBound {
            time += 0.1
            progress.received(count + Int64(rate * (time - seconds.lowerBound)))
            bar.update(at: start + .seconds(time))
        }
        return bar.state
    }

    @Test mutating func waitsForTheServer() {
        let state = updated(after: 2)
        #expect(state == BarState(name: "file", history: [0, 0]))
        #expect(state.pace == .waiting)
    }

    @Test("the rate does not count the time before the response")
    mutating func ratesFromTheHeadOn() throws {
        _ = updated(after: 20)
        progress.receive(of: 100_000, at: start + .seconds(20))
        let state = receive(20...21, rate: 10_000, from: 0)
        guard case .moving(let rate?) = state.pace else { return #expect(Bool(false)) }
        #expect((9_000...11_000).contains(rate))
        #expect(state.share.map { (0.09...0.12).contains($0) } == true)
        let remaining = try #require(state.remaining) / .seconds(1)
        #expect((8...10).contains(remaining))
        #expect(state.total == 100_000)
    }

    @Test("the bytes of an earlier attempt count for the share, but not for the rate")
    mutating func resumes() throws {
        progress.receive(of: 100_000, at: start)
        _ = receive(0...5, rate: 10_000, from: 0)
        progress.wait(at: start + .seconds(5))
        #expect(updated(after: 6).pace == .waiting)
        #expect(updated(after: 6).remaining == nil)
        progress.receive(of: 100_000, from: 50_000, at: start + .seconds(7))
        #expect(updated(after: 7.1).share == 0.5)
        let state = receive(7.1...9, rate: 1_000, from: 50_000)
        guard case .moving(let rate?) = state.pace else { return #expect(Bool(false)) }
        #expect((900...1_100).contains(rate))
        #expect(state.history.allSatisfy { $0 < 12_000 })
    }

    @Test mutating func stallsAndContinues() {
        progress.receive(of: 100_000, at: start)
        #expect(receive(0...3, rate: 10_000, from: 0).remaining != nil)
        #expect(updated(after: 6).pace != .stalled)
        let stalled = updated(after: 9)
        #expect(stalled.pace == .stalled)
        #expect(stalled.remaining == nil)
        #expect(stalled.history.last == 0)
        let state = receive(9...11, rate: 10_000, from: 30_000)
        #expect(state.pace != .stalled)
        #expect(state.remaining != nil)
    }

    @Test mutating func withoutLengthThereIsNoRemainingTime() {
        progress.receive(of: -1, at: start)
        let state = receive(0...3, rate: 1_000, from: 0)
        #expect(state.share == nil)
        #expect(state.total == nil)
        #expect(state.remaining == nil)
        #expect(state.steps >= 29)
    }

    @Test("a length that was wrong is dropped")
    mutating func tooLong() {
        progress.receive(of: 10, at: start)
        progress.received(11)
        #expect(updated(after: 1).share == nil)
        progress.receive(of: 0, at: start + .seconds(1))
        #expect(updated(after: 2).share == nil)
    }

    @Test("an upload that is completely sent waits for its response")
    mutating func uploads() {
        progress.sent(1_000, of: 4_000, at: start + .seconds(0.1))
        #expect(updated(after: 0.2).share == 0.25)
        progress.sent(4_000, of: 4_000, at: start + .seconds(1))
        #expect(updated(after: 1).share == 1)
        #expect(updated(after: 2.5).pace == .waiting)
        progress.receive(of: 20, at: start + .seconds(3))
        #expect(updated(after: 3.1).share == 0)
        #expect(progress.reading.sent == 4_000)
    }

    @Test mutating func showsOnlyOnRequest() {
        #expect(!progress.reading.wasShown)
        bar.show()
        #expect(progress.reading.wasShown)
        #expect(bar.isShown)
    }
}

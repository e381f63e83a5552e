import HTTPSemantics
import Testing

@testable import CurlMulti

@Suite("Pacer")
struct PacerTests {
    @Test("the pacer allows a tenth of a second's bytes at first, then what was earned, in pieces")
    func allowance() throws {
        let start = MonotonicInstant.now
        var pacer = try #require(Pacer(bytesPerSecond: 1_000_000, now: start))
        #expect(pacer.allowance(start) == 100_000)
        pacer.note(100_000)
        #expect(pacer.allowance(start) == 0)
        // Less than a piece is not worth a call.
        #expect(pacer.allowance(start + .milliseconds(10)) == 0)
        #expect(pacer.nextPiece - start > .milliseconds(16))
        #expect(pacer.allowance(start + .milliseconds(50)) == 50_000)
        #expect(pacer.allowance(start + .seconds(10)) == 100_000)
    }

    @Test("the pacer waits longer after a piece that was too large")
    func debt() throws {
        let start = MonotonicInstant.now
        var pacer = try #require(Pacer(bytesPerSecond: 1_000, now: start))
        pacer.note(1_100)
        let next = pacer.nextPiece - start
        #expect(next > .milliseconds(1_099) && next < .milliseconds(1_110))
        #expect(pacer.allowance(start + .milliseconds(500)) == 0)
        #expect(pacer.allowance(start + .milliseconds(1_111)) > 0)
    }

    @Test("a rate of 0 makes no pacer")
    func none() {
        #expect(Pacer(bytesPerSecond: 0, now: .now) == nil)
    }
}

@Suite("Rates of a transfer")
struct TransferRatesTests {
    private let start = MonotonicInstant.now

    private func rates(receiving: Int64, sending: Int64) -> TransferRates {
        var request = TransferRequest(url: "http://127.0.0.1/")
        request.receivePacer = SharedPacer(bytesPerSecond: receiving, now: start)
        request.sendPacer = SharedPacer(bytesPerSecond: sending, now: start)
        return TransferRates(request)
    }

    @Test("a direction that is not paused has no deadline")
    func free() {
        let rates = rates(receiving: 1_000, sending: 0)
        #expect(rates.areLimited)
        #expect(rates.pausedUntil([]) == nil)
        #expect(rates.pausedUntil([.suspended, .pacedSending]) == nil)
        #expect(!self.rates(receiving: 0, sending: 0).areLimited)
    }

    @Test("the earlier deadline of two directions counts, and each direction resumes by itself")
    func both() throws {
        let rates = rates(receiving: 1_000, sending: 1_000)
        rates.receiving?.note(600)
        rates.sending?.note(1_100)
        var pauses: TransferPauses = [.pacedReceiving, .pacedSending, .receiving]
        let first = try #require(rates.pausedUntil(pauses))
        #expect(first - start > .milliseconds(599) && first - start < .milliseconds(700))
        rates.release(&pauses, start)
        #expect(pauses == [.pacedReceiving, .pacedSending, .receiving])
        rates.release(&pauses, first)
        #expect(pauses == [.pacedSending, .receiving])
        let second = try #require(rates.pausedUntil(pauses))
        #expect(second > first)
        rates.release(&pauses, second)
        #expect(pauses == [.receiving])
        #expect(rates.pausedUntil(pauses) == nil)
    }
}

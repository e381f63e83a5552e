import Testing

@testable import URLLoading

@Suite("The number of streams")
struct StreamLimitTests {
    @Test("a stream without bytes lowers the limit, and one with bytes does not")
    func fewer() {
        var streamLimit = StreamLimit(count: 4)
        let verdict1 = streamLimit.failed(gained: 1 << 20, live: 3, isFinal: false)
        #expect(verdict1 == .proceed)
        #expect(streamLimit.count == 4)
        let verdict2 = streamLimit.failed(gained: 0, live: 3, isFinal: false)
        #expect(verdict2 == .proceed)
        #expect(streamLimit.count == 3)
    }

    @Test("a server with a final refusal gets no further stream beside the live ones")
    func final() {
        var streamLimit = StreamLimit(count: 8)
        let verdict3 = streamLimit.failed(gained: 0, live: 2, isFinal: true)
        #expect(verdict3 == .proceed)
        #expect(streamLimit.count == 2)
        let verdict4 = streamLimit.failed(gained: 0, live: 0, isFinal: true)
        #expect(verdict4 == .giveUp)
    }

    @Test("the last stream waits longer each time, and gives up in the end")
    func waits() {
        var streamLimit = StreamLimit(count: 1)
        for milliseconds in [250, 500, 1_000, 2_000] {
            let verdict = streamLimit.failed(gained: 0, live: 0, isFinal: false)
            #expect(verdict == .wait(.milliseconds(milliseconds)))
        }
        let verdict5 = streamLimit.failed(gained: 0, live: 0, isFinal: false)
        #expect(verdict5 == .giveUp)
    }

    @Test("a stream that delivers bytes resets the count")
    func gains() {
        var streamLimit = StreamLimit(count: 1)
        for _ in 0..<4 { _ = streamLimit.failed(gained: 0, live: 0, isFinal: false) }
        let verdict6 = streamLimit.failed(gained: 1 << 20, live: 0, isFinal: false)
        #expect(verdict6 == .proceed)
        let verdict7 = streamLimit.failed(gained: 0, live: 0, isFinal: false)
        #expect(verdict7 == .wait(.milliseconds(250)))
    }
}

import Testing

@testable import URLLoading

@Suite("How many streams there are")
struct SplitCrewTests {
    @Test("a stream that brought nothing is one fewer, one that did is not")
    func fewer() {
        var crew = SplitCrew(limit: 4)
        #expect(crew.failed(gained: 1 << 20, live: 3, isFinal: false) == .goOn)
        #expect(crew.limit == 4)
        #expect(crew.failed(gained: 0, live: 3, isFinal: false) == .goOn)
        #expect(crew.limit == 3)
    }

    @Test("a server that would say the same again gets no further stream beside those there are")
    func final() {
        var crew = SplitCrew(limit: 8)
        #expect(crew.failed(gained: 0, live: 2, isFinal: true) == .goOn)
        #expect(crew.limit == 2)
        #expect(crew.failed(gained: 0, live: 0, isFinal: true) == .giveUp)
    }

    @Test("the last one waits, longer each time, and gives up in the end")
    func waits() {
        var crew = SplitCrew(limit: 1)
        for milliseconds in [250, 500, 1_000, 2_000] {
            #expect(
                crew.failed(gained: 0, live: 0, isFinal: false)
                    == .wait(.milliseconds(milliseconds))
            )
        }
        #expect(crew.failed(gained: 0, live: 0, isFinal: false) == .giveUp)
    }

    @Test("a gain begins the count anew")
    func gains() {
        var crew = SplitCrew(limit: 1)
        for _ in 0..<4 { _ = crew.failed(gained: 0, live: 0, isFinal: false) }
        #expect(crew.failed(gained: 1 << 20, live: 0, isFinal: false) == .goOn)
        #expect(crew.failed(gained: 0, live: 0, isFinal: false) == .wait(.milliseconds(250)))
    }
}

import Testing
import URLLoading

@testable import FetchCommand

@Suite struct TaskProgressTests {
    private let start = MonotonicInstant.now
    private let progress: TaskProgress

    init() {
        progress = TaskProgress(at: start)
        progress.name("file")
    }

    @Test func aLineShowsTheProgress() {
        progress.receive(of: 20 << 20, at: start)
        progress.received(6 << 20)
        #expect(progress.dueLine(at: start + .seconds(9)) == nil)
        #expect(!progress.reading.wasShown)
        #expect(
            progress.dueLine(at: start + .seconds(12))
                == "file: 30%, 6.0 MiB of 20.0 MiB, 512.0 KiB/s, eta 28s"
        )
        #expect(progress.reading.wasShown)
        #expect(progress.dueLine(at: start + .seconds(12)) == nil)
        progress.received(9 << 20)
        #expect(
            progress.dueLine(at: start + .seconds(24))
                == "file: 45%, 9.0 MiB of 20.0 MiB, 256.0 KiB/s, eta 44s"
        )
    }

    @Test func aLineWithoutLength() {
        progress.receive(of: -1, at: start)
        progress.received(5_000)
        #expect(progress.dueLine(at: start + .seconds(10)) == "file: 4.9 KiB, 500 B/s")
    }

    @Test func aLineOfAnUpload() {
        progress.sent(0, of: 1_000, at: start)
        progress.sent(500, of: 1_000, at: start + .seconds(10))
        #expect(
            progress.dueLine(at: start + .seconds(10))
                == "file: sent 50%, 500 B of 1000 B, 50 B/s, eta 10s"
        )
    }

    @Test("the bytes of an earlier attempt do not raise the rate")
    func resumed() {
        progress.receive(of: 1_000, from: 500, at: start)
        progress.received(600)
        #expect(
            progress.dueLine(at: start + .seconds(10))
                == "file: 60%, 600 B of 1000 B, 10 B/s, eta 40s"
        )
    }

    @Test func noLineIsDueDuringAWait() {
        #expect(progress.dueLine(at: start + .seconds(1_000)) == nil)
        progress.receive(of: 1_000, at: start)
        progress.received(300)
        progress.wait(at: start + .seconds(20))
        #expect(progress.reading.phase == .waiting)
        #expect(progress.dueLine(at: start + .seconds(1_000)) == nil)
    }

    @Test func withoutANetworkTheProgressStopsUntilBytesArrive() {
        let progress = TaskProgress(at: start)
        progress.wait(.offline, at: start)
        #expect(progress.reading.phase == .offline)
        #expect(progress.dueLine(at: start + .seconds(1_000)) == nil)
        progress.receive(of: 10, at: start + .seconds(1_001))
        #expect(progress.reading.phase == .receiving)
    }
}

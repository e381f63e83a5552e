import Testing
import URLLoading

@testable import FetchCommand

@Suite("Share of --jobs per task")
struct JobLoadTests {
    private let origin = PlainURL("https://example.com/").map { Origin($0) }

    /// The number of tasks of the origin that begin before one must wait.
    private func begun(_ load: inout JobLoad) -> Int {
        var count = 0
        while count < 1_000, load.hasRoom(for: load.share(of: origin)) {
            load.add(load.share(of: origin))
            count += 1
        }
        return count
    }

    @Test("A task of an unknown origin counts as one job")
    func wholes() {
        var load = JobLoad(jobs: 16)
        #expect(begun(&load) == 16)
    }

    @Test("A job counts for several streams, until the connection ends")
    func streams() {
        var load = JobLoad(jobs: 1)
        load.note(shared: origin)
        #expect(begun(&load) == 32)
        load = JobLoad(jobs: 16)
        load.note(shared: origin)
        #expect(begun(&load) == JobLoad.maximumStreams)
    }

    @Test("A task begun as a job ends as a job, and streams leave room for as many others")
    func ends() {
        var load = JobLoad(jobs: 2)
        let first = load.share(of: origin)
        load.add(first)
        load.note(shared: origin)
        load.note(shared: origin)
        #expect(begun(&load) == 32)
        load.remove(first)
        #expect(begun(&load) == 32)
        load.remove(load.share(of: origin))
        #expect(begun(&load) == 1)
    }
}

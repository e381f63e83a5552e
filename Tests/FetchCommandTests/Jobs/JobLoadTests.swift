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
        var load = JobLoad(JobLimits(jobs: 16, descriptors: 1_024))
        #expect(begun(&load) == 16)
    }

    @Test("A job counts for several streams, until the connection ends")
    func streams() {
        var load = JobLoad(JobLimits(jobs: 1, descriptors: 1_024))
        load.note(shared: origin)
        #expect(begun(&load) == 32)
        load = JobLoad(JobLimits(jobs: 16, descriptors: 1_024))
        load.note(shared: origin)
        #expect(begun(&load) == JobLoad.maximumStreams)
    }

    @Test("A task begun as a job ends as a job, and streams leave room for as many others")
    func ends() {
        var load = JobLoad(JobLimits(jobs: 2, descriptors: 1_024))
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

    @Test("a low limit of open files allows fewer jobs, and fewer files in synchronization")
    func descriptors() {
        let table = [
            (30, 1_024, 30, 474, 64), (30, 150, 30, 37, 7), (30, 24, 2, 2, 0), (30, 3, 1, 1, 0),
            (4, 64, 4, 20, 16),
        ]
        for (jobs, descriptors, allowed, streams, synchronizing) in table {
            let limits = JobLimits(jobs: jobs, descriptors: descriptors)
            #expect(limits.jobs == allowed, "\(descriptors)")
            #expect(limits.streams == streams, "\(descriptors)")
            #expect(limits.synchronizing == synchronizing, "\(descriptors)")
        }
    }
}

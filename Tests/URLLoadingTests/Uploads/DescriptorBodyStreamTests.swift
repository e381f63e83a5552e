import Glibc
import Testing

@testable import URLLoading

@Suite("Bodies from a descriptor")
struct DescriptorBodyStreamTests {
    @Test("a pipe that another process has enlarged keeps its size")
    func pipeSize() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // F_SETPIPE_SZ and F_GETPIPE_SZ; only root may go beyond 1 MiB.
        if fcntl(ends[0], 1031, 4 << 20) < 0 { try #require(fcntl(ends[0], 1031, 1 << 20) > 0) }
        let before = fcntl(ends[0], 1032, 0)
        _ = DescriptorBodyStream(ends[0])
        #expect(fcntl(ends[0], 1032, 0) == before)
    }
}

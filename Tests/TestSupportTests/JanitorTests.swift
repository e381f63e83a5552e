import Foundation
import Testing

@testable import TestSupport

@Suite
struct JanitorTests {
    /// A dropped janitor closes its pipe, as the kernel does when the test process crashes.
    @Test
    func cleansUpWhenThePipeEnds() async throws {
        let folder = try TemporaryFolder("janitor")
        let doomed = try FetchProcess(shell: "trap '' TERM; sleep 100 & wait").start()
        let spared = try FetchProcess(shell: "sleep 100").start()
        var janitor: Janitor? = Janitor()
        janitor?.killAtExit(spared.processID)
        janitor?.killAtExit(doomed.processID)
        janitor?.forget(spared.processID)
        janitor?.deleteAtExit(folder)
        janitor = nil

        let result = try await doomed.wait()
        #expect(result.signal == SIGKILL)
        #expect(await eventually { access(folder.path, F_OK) != 0 })
        #expect(spared.isRunning)
    }
}

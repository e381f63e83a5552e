import Dispatch
import TestSupport

/// Holds a server's closure until the test has seen what it wants to see.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Lets one `wait()` through, be it called already or later.
    func open() {
        semaphore.signal()
    }

    /// Blocks the calling thread until the gate is opened; throws after half a minute.
    func wait() throws {
        guard semaphore.wait(timeout: .now() + 30) == .success else {
            throw TestSupportError.timedOut("the test to open a gate", seen: "nothing")
        }
    }
}

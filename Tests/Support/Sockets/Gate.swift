import Foundation

/// Holds a server's closure until the test has seen what it wants to see, or the other way round.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A gate that is closed.
    public init() {}

    /// Lets one `wait()` through, be it called already or later.
    public func open() {
        semaphore.signal()
    }

    /// Waits until the gate is opened, without a thread; `false` after half a minute.
    public func isOpened() async -> Bool {
        await eventually(within: .seconds(30)) { semaphore.wait(timeout: .now()) == .success }
    }

    /// Blocks the calling thread, which is a server's, for so long at most.
    ///
    /// - Returns: Whether the gate was opened.
    public func wait(atMost limit: Duration) -> Bool {
        semaphore.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    /// Blocks the calling thread, which is a server's, until the gate is opened; throws after half
    /// a minute.
    public func wait() throws {
        guard wait(atMost: Duration.seconds(30).scaled) else {
            throw TestSupportError.timedOut("the test to open a gate", seen: "nothing")
        }
    }
}

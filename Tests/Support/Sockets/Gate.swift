import Foundation

/// Blocks a server's closure until the test opens the gate, or the test until the closure does.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A closed gate.
    public init() {}

    /// Lets one `wait()` return, whether it was called before or is called later.
    public func open() {
        semaphore.signal()
    }

    /// Waits for the gate without blocking a thread; `false` after half a minute.
    public func isOpened() async -> Bool {
        await eventually(within: .seconds(30)) { semaphore.wait(timeout: .now()) == .success }
    }

    /// Blocks the calling thread, a server's, for a limited time.
    ///
    /// - Returns: Whether the gate was opened.
    public func wait(atMost limit: Duration) -> Bool {
        semaphore.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    /// Blocks the calling thread, a server's, until the gate is opened; throws after half a minute.
    public func wait() throws {
        guard wait(atMost: Duration.seconds(30).scaled) else {
            throw TestSupportError.timedOut("the test to open a gate", seen: "nothing")
        }
    }
}

import Dispatch
import Synchronization

/// Blocks a synchronous call's thread until a result arrives; the only place where the library blocks.
///
/// Foundation's `resume()` is synchronous, and in a background session the request must be on the disk
/// when it returns. `URLProtocolClient.urlProtocol(_:didLoad:)` is synchronous too, and has no other
/// way to slow a protocol down. So these methods block their caller's thread, and no other. The code
/// that ends the wait runs on a ``SerialQueue`` or the loop's thread, never on a thread that could be
/// the caller's. It must not be used under a task's lock (``TaskLock``).
package final class BlockingWait<Value: Sendable>: Sendable {
    private let arrival = DispatchSemaphore(value: 0)
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// Ends the wait with a result; only the first call counts.
    package func end(_ value: Value) {
        let isFirst = self.value.withLock { known in
            guard known == nil else { return false }
            known = value
            return true
        }
        if isFirst { arrival.signal() }
    }

    /// The result, if it has arrived; does not wait.
    package var result: Value? { value.withLock { $0 } }

    /// Waits on this thread; call it once.
    ///
    /// - Parameter limit: the longest wait; `nil`: no limit.
    /// - Returns: the result; `nil` where none arrived in time.
    @discardableResult
    package func wait(atMost limit: Duration? = nil) -> Value? {
        TaskLockCounter.expectNone("a wait")
        let limit = limit.map { max(.zero, $0) / .milliseconds(1) }
        _ = arrival.wait(
            timeout: limit.map { .now() + .milliseconds(Int(min($0, 1e9)) + 1) } ?? .distantFuture
        )
        return value.withLock { $0 }
    }
}

import Dispatch
import Synchronization

/// What a synchronous call waits for on its caller's thread: the one place in which the library does.
///
/// Foundation's `resume()` is synchronous, and a background session promises that the request is on
/// the disk when it returns. `URLProtocolClient.urlProtocol(_:didLoad:)` is synchronous too, and
/// has no other way to slow a protocol down. So these block their caller's thread, and no other.
/// What ends the wait runs on a ``SerialQueue`` or the loop's thread, never on a thread that could
/// be the caller's. It is not used under a task's lock (``TaskLock``).
package final class BlockingWait<Value: Sendable>: Sendable {
    private let arrival = DispatchSemaphore(value: 0)
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// Ends the wait, with what it was for; the first time counts.
    package func end(_ value: Value) {
        let isFirst = self.value.withLock { known in
            guard known == nil else { return false }
            known = value
            return true
        }
        if isFirst { arrival.signal() }
    }

    /// What it is for, where that has come: without a wait.
    package var result: Value? { value.withLock { $0 } }

    /// Waits on this thread; once.
    ///
    /// - Parameter limit: for how long at most; `nil`: until it ends.
    /// - Returns: what it was for; `nil` where that has not come.
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

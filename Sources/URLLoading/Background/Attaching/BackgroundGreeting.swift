import Dispatch
import Synchronization

/// Whoever waits to be let into a background session.
final class BackgroundGreeting: Sendable {
    /// What it may come to.
    enum Outcome: Sendable {
        case welcome
        /// Whoever was there was ending, and why; it is worth another try.
        case again(String)
        case refused(BackgroundError)
    }

    private let semaphore = DispatchSemaphore(value: 0)
    private let state = Mutex<Outcome?>(nil)

    /// What it has come to; `nil`: nothing yet.
    var outcome: Outcome? { state.withLock { $0 } }

    /// Settles it, once.
    func end(_ outcome: Outcome) {
        let isFirst = state.withLock { state in
            guard state == nil else { return false }
            state = outcome
            return true
        }
        if isFirst { semaphore.signal() }
    }

    /// Waits until it is settled; on a thread that can.
    ///
    /// - Parameter deadline: how long at most.
    func wait(until deadline: ContinuousClock.Instant) {
        let left = max(.zero, deadline - .now) / .milliseconds(1)
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(left) + 1))
    }
}

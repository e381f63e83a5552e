import Synchronization
import URLLoading

/// The wait of one task: for a signal to it, a time, or an interruption of all tasks.
final class Waiter: Sendable {
    enum Wake: Equatable {
        /// `ring()` was called.
        case bell
        case interruption(Interruption)
        case late
    }

    private struct State {
        var isRung = false
        var continuation: CheckedContinuation<Wake, Never>?
        /// The number of interruptions that this waiter has seen.
        var seen: Int
    }

    private let executor: PollingExecutor
    private let state: Mutex<State>

    init(_ executor: PollingExecutor = MainLoop.shared.executor) {
        self.executor = executor
        state = Mutex(State(seen: executor.interruptions))
    }

    /// Makes a second waiter for a task, which sees the interruptions that the first has not seen.
    init(after first: Waiter) {
        executor = first.executor
        state = Mutex(State(seen: first.state.withLock { $0.seen }))
    }

    /// Ends the current wait, or the next one; may be called from any thread.
    func ring() {
        let continuation = state.withLock { state in
            state.isRung = state.continuation == nil
            return state.continuation.take()
        }
        continuation?.resume(returning: .bell)
    }

    /// Waits for `ring()`, a time, an interruption, or a readable or closed descriptor.
    @MainLoop
    func wait(until moment: MonotonicInstant?, readable descriptor: CInt = -1) async -> Wake {
        if let wake = next() { return wake }
        executor.add(PollingExecutor.Sleeper(waiter: self, moment: moment, readable: descriptor))
        defer { executor.remove(self) }
        return await withCheckedContinuation { continuation in
            let isRung = state.withLock { state in
                if !state.isRung { state.continuation = continuation }
                defer { state.isRung = false }
                return state.isRung
            }
            if isRung { continuation.resume(returning: .bell) }
        }
    }

    /// Waits until a condition, checked at each `ring()`, holds, or for a time or an interruption.
    @MainLoop
    func wait(until moment: MonotonicInstant?, for condition: () -> Bool) async -> Wake {
        while !condition() {
            let wake = await wait(until: moment)
            guard wake == .bell else { return wake }
        }
        return .bell
    }

    func forgetInterruptions() { state.withLock { _ = executor.interruption(after: &$0.seen) } }

    func end(_ wake: Wake) { state.withLock { $0.continuation.take() }?.resume(returning: wake) }

    func interrupt(_ interruption: Interruption, count: Int) {
        let continuation = state.withLock { state in
            if state.continuation != nil { state.seen = count }
            return state.continuation.take()
        }
        continuation?.resume(returning: .interruption(interruption))
    }

    /// An event since the last wait; `nil`: none.
    private func next() -> Wake? {
        state.withLock { state in
            if let interruption = executor.interruption(after: &state.seen) {
                return .interruption(interruption)
            }
            guard state.isRung else { return nil }
            state.isRung = false
            return .bell
        }
    }
}

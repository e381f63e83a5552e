import Synchronization
import URLLoading

/// The wait of one task: for its bell, a moment, or an interruption of all tasks.
final class Waiter: Sendable {
    /// What ended a wait.
    enum Wake: Equatable {
        /// The bell rang.
        case bell
        case interruption(Interruption)
        /// The deadline was reached.
        case late
    }

    private struct State {
        var isRung = false
        var continuation: CheckedContinuation<Wake, Never>?
        /// How many interruptions it knows of.
        var seen: Int
    }

    private let executor: PollingExecutor
    private let state: Mutex<State>

    init(_ executor: PollingExecutor = MainLoop.shared.executor) {
        self.executor = executor
        state = Mutex(State(seen: executor.interruptions))
    }

    /// Ends the wait, or the next one; from any thread.
    func ring() {
        let continuation = state.withLock { state in
            state.isRung = state.continuation == nil
            return state.continuation.take()
        }
        continuation?.resume(returning: .bell)
    }

    /// Waits for the bell, a moment or an interruption, whatever comes first.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - descriptor: counts as the bell when it is readable or closed.
    /// - Returns: the cause.
    @MainLoop
    func wait(
        until moment: MonotonicInstant?,
        readable descriptor: CInt = -1
    ) async -> Wake {
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

    /// Waits until a condition holds, which is checked at each ring, or for an interruption or a
    /// moment.
    @MainLoop
    func wait(
        until moment: MonotonicInstant?,
        for isSo: () -> Bool
    ) async -> Wake {
        while !isSo() {
            let wake = await wait(until: moment)
            guard wake == .bell else { return wake }
        }
        return .bell
    }

    /// Marks all interruptions so far as seen.
    func forgetInterruptions() {
        state.withLock { _ = executor.interruption(after: &$0.seen) }
    }

    /// Ends the current wait, if any.
    func end(_ wake: Wake) {
        state.withLock { $0.continuation.take() }?.resume(returning: wake)
    }

    /// Ends the current wait, if any, by an interruption.
    func interrupt(_ interruption: Interruption, count: Int) {
        let continuation = state.withLock { state in
            if state.continuation != nil { state.seen = count }
            return state.continuation.take()
        }
        continuation?.resume(returning: .interruption(interruption))
    }

    /// What has happened since the last wait.
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

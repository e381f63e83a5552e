import Synchronization

/// What one task waits by: its bell, a moment, or an interruption of all tasks.
final class Waiter: Sendable {
    /// What ended a wait.
    enum Wake: Equatable {
        /// The bell rang.
        case bell
        case interruption(Interruption)
        /// The moment that was named has come.
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
    ///   - descriptor: counts as the bell once there is something to read, or nothing more to come.
    /// - Returns: what it was.
    @MainLoop
    func wait(
        until moment: ContinuousClock.Instant?,
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

    /// Waits until something is so, of which the bell tells, or for an interruption or a moment.
    @MainLoop
    func wait(
        until moment: ContinuousClock.Instant?,
        for isSo: () -> Bool
    ) async -> Wake {
        while !isSo() {
            let wake = await wait(until: moment)
            guard wake == .bell else { return wake }
        }
        return .bell
    }

    /// Takes what has interrupted all tasks so far for known.
    func forgetInterruptions() {
        state.withLock { _ = executor.interruption(after: &$0.seen) }
    }

    /// Ends a wait that there is just now.
    func end(_ wake: Wake) {
        state.withLock { $0.continuation.take() }?.resume(returning: wake)
    }

    /// Ends a wait that there is just now, since all waits end.
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

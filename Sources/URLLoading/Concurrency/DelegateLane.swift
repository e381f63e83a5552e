import Dispatch
import Synchronization

/// Calls a session's delegates and handlers, one after another, in the order of posting.
///
/// Usually the lane is a Dispatch queue. For a hosted session it is a list that the host's thread drains
/// without a lock: between two iterations of its loop, and after a response's head or small body. A post
/// makes no call and does not wait, so a task may post under its lock.
package final class DelegateLane: Sendable {
    private enum Place {
        case queue(DispatchQueue)
        /// On the host's thread, which `ring` wakes.
        case host(ring: @Sendable () -> Void)
    }

    private struct State {
        var calls: [@Sendable () -> Void] = []
        /// An empty array with reserved capacity, for the next calls.
        var spare: [@Sendable () -> Void] = []
        /// Whether a call is continuing on the worker.
        var isSuspended = false
    }

    private let place: Place
    private let state = Mutex(State())
    /// Runs work that may wait, in a hosted session.
    private let worker = SerialQueue("URLSession.worker")

    /// Creates a lane on a queue.
    init(_ queue: DispatchQueue) {
        place = .queue(queue)
    }

    /// Creates a lane that a host drains.
    init(ring: @escaping @Sendable () -> Void) {
        place = .host(ring: ring)
    }

    /// Posts a call, from any thread.
    package func async(_ call: @escaping @Sendable () -> Void) {
        switch place {
        case .queue(let queue): queue.async(execute: call)
        case .host(let ring):
            state.withLock { $0.calls.append(call) }
            ring()
        }
    }

    /// Posts a call after a deadline.
    func asyncAfter(deadline: DispatchTime, _ call: @escaping @Sendable () -> Void) {
        switch place {
        case .queue(let queue): queue.asyncAfter(deadline: deadline, execute: call)
        case .host:
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in async(call) }
        }
    }

    /// Continues a call where it may wait; the next call begins after that.
    ///
    /// A call may do this only as its last step. On a queue the work runs at once, because a queue may
    /// wait. In a hosted session a worker runs it, while the host's thread continues with its loop.
    package func handOff(_ work: @escaping @Sendable () -> Void) {
        guard case .host(let ring) = place else { return work() }
        let isWorking = state.withLock { state in
            defer { state.isSuspended = true }
            return state.isSuspended
        }
        // The call is already running on the worker.
        guard !isWorking else { return work() }
        worker.async { [self] in
            work()
            state.withLock { $0.isSuspended = false }
            ring()
        }
    }

    /// Whether the lane has a call that the host can make now.
    package var isBusy: Bool { state.withLock { !$0.isSuspended && !$0.calls.isEmpty } }

    /// Makes the posted calls, but not those that they post; on the host's thread.
    ///
    /// - Returns: whether there was a call.
    package func drain() -> Bool {
        var calls = state.withLock { state in
            guard !state.isSuspended, !state.calls.isEmpty else { return [@Sendable () -> Void]() }
            let calls = state.calls
            state.calls = state.spare
            state.spare = []
            return calls
        }
        guard !calls.isEmpty else { return false }
        for index in calls.indices {
            calls[index]()
            let isSuspended = state.withLock { state in
                if state.isSuspended {
                    state.calls.insert(contentsOf: calls[(index + 1)...], at: 0)
                }
                return state.isSuspended
            }
            if isSuspended { break }
        }
        calls.removeAll(keepingCapacity: true)
        state.withLock { $0.spare = calls }
        return true
    }
}

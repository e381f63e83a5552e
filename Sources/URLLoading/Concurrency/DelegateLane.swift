import Dispatch
import Synchronization

/// Where a session calls delegates and handlers: one call after another, in the order of posting.
///
/// That is a queue of Dispatch's. For a hosted session it is a list that the host's thread drains, without
/// a lock, between two iterations of its loop and after a response's head. Posting makes no call and does
/// not wait, so it is allowed under a task's lock.
package final class DelegateLane: Sendable {
    private enum Place {
        case queue(DispatchQueue)
        /// On the host's thread, which is notified.
        case host(ring: @Sendable () -> Void)
    }

    private struct State {
        var calls: [@Sendable () -> Void] = []
        /// An empty list with room, which the next calls are put into.
        var spare: [@Sendable () -> Void] = []
        /// Whether the rest of a call is under way on the worker.
        var isSuspended = false
    }

    private let place: Place
    private let state = Mutex(State())
    /// Carries out what may wait, in a hosted session.
    private let worker = SerialQueue("URLSession.worker")

    /// A lane on a queue.
    init(_ queue: DispatchQueue) {
        place = .queue(queue)
    }

    /// A lane that its host drains.
    init(ring: @escaping @Sendable () -> Void) {
        place = .host(ring: ring)
    }

    /// Makes a call later, after those before it; from any thread.
    package func async(_ call: @escaping @Sendable () -> Void) {
        switch place {
        case .queue(let queue): queue.async(execute: call)
        case .host(let ring):
            state.withLock { $0.calls.append(call) }
            ring()
        }
    }

    /// Makes a call not before a moment.
    func asyncAfter(deadline: DispatchTime, _ call: @escaping @Sendable () -> Void) {
        switch place {
        case .queue(let queue): queue.asyncAfter(deadline: deadline, execute: call)
        case .host:
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in async(call) }
        }
    }

    /// Does the rest of a call where it may wait; the next call is made when it is done.
    ///
    /// It is the last that a call does. On a queue it is done at once: that one may wait. For a host
    /// a worker does it, and the host's thread goes on with its loop meanwhile.
    package func handOff(_ work: @escaping @Sendable () -> Void) {
        guard case .host(let ring) = place else { return work() }
        let isWorking = state.withLock { state in
            defer { state.isSuspended = true }
            return state.isSuspended
        }
        // It is done on the worker already.
        guard !isWorking else { return work() }
        worker.async { [self] in
            work()
            state.withLock { $0.isSuspended = false }
            ring()
        }
    }

    /// Whether there is a call to be made now; for the host.
    package var isBusy: Bool { state.withLock { !$0.isSuspended && !$0.calls.isEmpty } }

    /// Makes the calls that there are, but not those that come of them; on the host's thread.
    ///
    /// - Returns: whether there was one.
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

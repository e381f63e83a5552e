import Synchronization

/// State of a hop's response, shared by the hop's thread and the task.
final class ResponseControl: Sendable {
    let gate = BodyGate()
    let window = DeliveryWindow()
    /// Whether the task has cancelled the response, even if it has arrived and its bytes wait for room.
    let isCancelled = Atomic(false)
    /// Whether the whole body had arrived before the delegate was asked about it.
    let isWhole = Atomic(false)
    /// Whether the delegate names a file with the whole body, which needs no name before.
    let isNamedByDelegate = Atomic(false)
    let temporaryFolder: String
    /// The lane of the delegate's calls, if they run on the hop's own thread.
    let lane: DelegateLane?

    init(temporaryFolder: String, lane: DelegateLane? = nil) {
        self.temporaryFolder = temporaryFolder
        self.lane = lane
    }
}

/// Passes a task's decision about a body to the transport's thread.
struct BodyGate: ~Copyable, Sendable {
    // Not private: Swift 6.3 cannot compile a layout with a private type for another file.
    struct State {
        var disposition: BodyDisposition?
        /// Whether the transport's thread is waiting for the decision.
        var isAwaited = false
    }

    private let state = Mutex(State())

    /// Sets a decision.
    ///
    /// - Returns: whether the transport's thread must be woken.
    @discardableResult
    func set(_ value: BodyDisposition) -> Bool {
        state.withLock { state in
            state.disposition = value
            return !state.isAwaited
        }
    }

    /// The decision, once.
    func take() -> BodyDisposition? {
        state.withLock { $0.disposition.take() }
    }

    /// Calls `ask` once, on the transport's thread, and returns the decision; `nil`: it follows later.
    func take(after ask: () -> Void) -> BodyDisposition? {
        state.withLock { $0.isAwaited = true }
        ask()
        return state.withLock { state in
            state.isAwaited = false
            return state.disposition.take()
        }
    }
}

/// Limits the bytes on their way to the delegate, so that memory does not grow with the body.
final class DeliveryWindow: Sendable {
    struct State {
        var outstanding = 0
        var isBlocked = false
    }

    /// Bytes; four deliveries, so that the delegate can process one while others arrive.
    static let limit = 1 << 20
    /// The smallest cost of a delivery, bytes: covers the memory overhead of many small pieces.
    static let minimumCost = 1 << 10

    private let state = Mutex(State())

    /// Counts bytes on their way to the delegate.
    func deliver(_ bytes: Int) {
        state.withLock { $0.outstanding += max(bytes, Self.minimumCost) }
    }

    /// Whether the window has room; if not, the `consume` that makes room returns `true`.
    func hasRoom() -> Bool {
        state.withLock { state in
            state.isBlocked = state.outstanding >= Self.limit
            return !state.isBlocked
        }
    }

    /// Counts bytes that the delegate has taken.
    ///
    /// - Returns: whether a blocked transfer can continue: at half the window, to avoid a pause for
    ///   each delivery.
    func consume(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.outstanding -= max(bytes, Self.minimumCost)
            guard state.isBlocked, state.outstanding <= Self.limit / 2 else { return false }
            state.isBlocked = false
            return true
        }
    }
}

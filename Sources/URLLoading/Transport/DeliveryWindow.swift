import Synchronization

/// How much of a body may be on its way to the delegate at once, so that memory does not grow with
/// the body.
final class DeliveryWindow: Sendable {
    private struct State {
        var outstanding = 0
        var isBlocked = false
    }

    /// Bytes; four deliveries, so that one can be worked on while others come.
    static let limit = 1 << 20
    /// What a delivery costs at the least, bytes: the memory around a body that drips.
    static let leastCost = 1 << 10

    private let state = Mutex(State())

    /// Says that so many bytes go to the delegate.
    func deliver(_ bytes: Int) {
        state.withLock { $0.outstanding += max(bytes, Self.leastCost) }
    }

    /// Whether there is room; where not, the next `consume` that makes some says so.
    func hasRoom() -> Bool {
        state.withLock { state in
            state.isBlocked = state.outstanding >= Self.limit
            return !state.isBlocked
        }
    }

    /// Says that the delegate has taken so many bytes.
    ///
    /// - Returns: whether a blocked transfer can go on: at half the window, so that it does not
    ///   stop and go with each delivery.
    func consume(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.outstanding -= max(bytes, Self.leastCost)
            guard state.isBlocked, state.outstanding <= Self.limit / 2 else { return false }
            state.isBlocked = false
            return true
        }
    }
}

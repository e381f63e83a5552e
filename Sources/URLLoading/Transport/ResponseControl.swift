import Synchronization

/// What the thread of a hop and its task, on any, have in common of the hop's response.
final class ResponseControl: Sendable {
    let gate = BodyGate()
    let window = DeliveryWindow()
    /// Whether the response is not wanted any more, also where it has come and waits to be handed
    /// on.
    let isCancelled = Atomic(false)
    let temporaryFolder: String
    /// Where delegates are called, if that is on the hop's own thread.
    let lane: DelegateLane?

    init(temporaryFolder: String, lane: DelegateLane? = nil) {
        self.temporaryFolder = temporaryFolder
        self.lane = lane
    }
}

/// What a task decides about a hop's body, on its way to the transport's thread.
final class BodyGate: Sendable {
    private struct State {
        var disposition: BodyDisposition?
        /// Whether the transport's thread waits for it.
        var isAwaited = false
    }

    private let state = Mutex(State())

    /// Hands a decision over.
    ///
    /// - Returns: whether the transport's thread has to be told.
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

    /// The decision that comes of asking on the transport's thread, once; `nil`: it comes later.
    func take(after ask: () -> Void) -> BodyDisposition? {
        state.withLock { $0.isAwaited = true }
        ask()
        return state.withLock { state in
            state.isAwaited = false
            return state.disposition.take()
        }
    }
}

/// A task's decision about a server, on its way to the transport's thread.
final class TrustGate: Sendable {
    private struct Decision {
        var trust: ServerTrust
        var disposition: TrustDisposition
    }

    private let decision = Mutex<Decision?>(nil)

    func set(_ disposition: TrustDisposition, about trust: ServerTrust) {
        decision.withLock { $0 = Decision(trust: trust, disposition: disposition) }
    }

    /// The disposition, if it is about just this.
    func disposition(about trust: ServerTrust) -> TrustDisposition? {
        decision.withLock { $0?.trust == trust ? $0?.disposition : nil }
    }
}

/// What becomes of a server after it has shown its certificates.
enum TrustDisposition: Sendable, Hashable {
    /// What the platform says.
    case byVerdict
    /// It is trusted.
    case accept
    /// It is not.
    case refuse
}

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

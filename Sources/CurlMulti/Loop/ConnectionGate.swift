import Synchronization

/// Counts the connections of one loop, or of several together.
///
/// What one loop's transfer makes room for may wait in another loop: that is told so.
public final class ConnectionGate: Sendable {
    private struct State {
        var gate: OriginGate
        /// The loops of those who wait.
        var waiting: [TransferID: TransferLoop] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter limits: what the loops may have together.
    public init(limits: LoopLimits) {
        state = Mutex(State(gate: OriginGate(connectionsPerHost: limits.connectionsPerHost)))
    }

    /// Whether a new transfer may run; where not, its loop is told later.
    func admit(_ transfer: Transfer, of loop: TransferLoop) -> Bool {
        let mayMultiplex = transfer.mayMultiplex
        return state.withLock { state in
            let isFree = state.gate.admit(
                transfer.id,
                to: transfer.origin,
                mayMultiplex: mayMultiplex
            )
            if !isFree { state.waiting[transfer.id] = loop }
            return isFree
        }
    }

    /// A transfer that runs has its connection.
    ///
    /// - Returns: those of the same loop that may run now.
    func connected(_ origin: String, _ loop: TransferLoop) -> [TransferID] {
        release(for: loop) { $0.connected(origin) }
    }

    /// A connection there takes many requests.
    ///
    /// - Returns: those of the same loop that may run now.
    func multiplexes(_ origin: String, _ loop: TransferLoop) -> [TransferID] {
        release(for: loop) { $0.multiplexes(origin) }
    }

    /// A transfer that ran is over.
    ///
    /// - Returns: those of the same loop that may run now.
    func ended(_ origin: String, hasFailed: Bool, _ loop: TransferLoop) -> [TransferID] {
        release(for: loop) { $0.ended(origin, hasFailed: hasFailed) }
    }

    /// A transfer that waits waits no more.
    ///
    /// - Returns: whether it still did; where not, it has a place, of which it is about to hear.
    func withdraw(_ id: TransferID, from origin: String) -> Bool {
        state.withLock { state in
            state.gate.withdraw(id, from: origin)
            return state.waiting.removeValue(forKey: id) != nil
        }
    }

    private func release(
        for loop: TransferLoop,
        _ change: (inout OriginGate) -> [TransferID]
    ) -> [TransferID] {
        let released = state.withLock { state in
            change(&state.gate).map { ($0, state.waiting.removeValue(forKey: $0)) }
        }
        var own: [TransferID] = []
        for (id, other) in released {
            if let other, other !== loop { other.admit(id) } else { own.append(id) }
        }
        return own
    }
}

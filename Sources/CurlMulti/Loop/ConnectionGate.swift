import Synchronization

/// Counts the connections of one loop, or of several together.
///
/// A transfer that ends in one loop may make room for one that waits in another. Then the gate notifies
/// that loop.
package final class ConnectionGate: Sendable {
    private struct State {
        var gate: OriginGate
        var waiting: [TransferID: TransferLoop] = [:]
    }

    private let state: Mutex<State>

    /// Makes a gate without any connections.
    ///
    /// - Parameter limits: the limits for all of its loops together.
    package init(limits: LoopLimits) {
        state = Mutex(State(gate: OriginGate(connectionsPerHost: limits.connectionsPerHost)))
    }

    /// Decides whether a new transfer may run; if not, the gate notifies its loop later.
    func admit(_ transfer: Transfer, of loop: TransferLoop) -> Bool {
        let (id, origin, mayMultiplex) = (transfer.id, transfer.origin, transfer.mayMultiplex)
        return state.withLock { state in
            let isFree = state.gate.admit(id, to: origin, mayMultiplex: mayMultiplex)
            if !isFree { state.waiting[id] = loop }
            return isFree
        }
    }

    /// Withdraws a waiting transfer.
    ///
    /// - Returns: whether it was still waiting; if not, the gate has admitted it and notifies its loop.
    func withdraw(_ id: TransferID, from origin: String) -> Bool {
        state.withLock { state in
            state.gate.withdraw(id, from: origin)
            return state.waiting.removeValue(forKey: id) != nil
        }
    }

    /// Notes an event of a loop's transfer, and notifies other loops whose transfers may run now.
    ///
    /// - Returns: the transfers of the same loop that may run now.
    func release(
        for loop: TransferLoop,
        _ event: (inout OriginGate) -> [TransferID]
    ) -> [TransferID] {
        let released = state.withLock { state in
            event(&state.gate).map { ($0, state.waiting.removeValue(forKey: $0)) }
        }
        var own: [TransferID] = []
        for (id, other) in released {
            if let other, other !== loop { other.admit(id) } else { own.append(id) }
        }
        return own
    }
}

/// Decides which transfers may run, so that no origin gets more connections than its limit.
///
/// libcurl 7.88.1 has a queue of its own for this, but may forget a transfer in it when others end in
/// the same moment. So we add no transfer that libcurl would have to queue. Of 40 tasks over six
/// connections, the last ones waited forever in one run of twelve.
struct OriginGate {
    private enum Kind {
        /// TLS may still negotiate HTTP/2: one transfer runs first, and the others wait for its connection.
        case unknown
        /// Each connection carries one request at a time.
        case single
        /// One connection carries many requests at a time.
        case multiplexed
    }

    private struct Origin {
        var kind: Kind
        var running = 0
        /// The transfers in the order of their arrival; the gate has admitted those before `next`.
        var waiting: [TransferID] = []
        var next = 0

        private func hasRoom(_ connections: Int) -> Bool {
            switch kind {
            case .unknown: running < 1
            case .single: running < connections
            case .multiplexed: running < OriginGate.streams
            }
        }

        mutating func admit(_ id: TransferID, _ connections: Int) -> Bool {
            guard hasRoom(connections), next == waiting.count else {
                waiting.append(id)
                return false
            }
            running += 1
            return true
        }

        mutating func release(_ connections: Int) -> [TransferID] {
            var released: [TransferID] = []
            while hasRoom(connections), next < waiting.count {
                released.append(waiting[next])
                next += 1
                running += 1
            }
            if next == waiting.count {
                waiting.removeAll()
                next = 0
            }
            return released
        }
    }

    /// libcurl's own limit of streams for each HTTP/2 connection.
    private static let streams = 100

    private let connections: Int
    private var origins: [String: Origin] = [:]

    init(connectionsPerHost: Int) {
        connections = connectionsPerHost
    }

    /// Decides whether a new transfer may run; if not, a later call returns it.
    ///
    /// `mayMultiplex`: whether a connection there may turn out to carry many requests.
    mutating func admit(_ id: TransferID, to name: String, mayMultiplex: Bool) -> Bool {
        origins[name, default: Origin(kind: mayMultiplex ? .unknown : .single)]
            .admit(id, connections)
    }

    /// Notes that libcurl has connected a running transfer; returns those that may run now.
    mutating func connected(_ name: String) -> [TransferID] {
        change(name) { if $0.kind == .unknown { $0.kind = .single } }
    }

    /// Notes that a connection to the origin carries many requests; returns the transfers that may run now.
    mutating func multiplexes(_ name: String) -> [TransferID] {
        change(name) { $0.kind = .multiplexed }
    }

    /// Notes that a running transfer has ended; returns those that may run now.
    ///
    /// After a failure the gate releases all waiting transfers together, so that they do not fail one
    /// after another.
    mutating func ended(_ name: String, hasFailed: Bool = false) -> [TransferID] {
        change(name) { origin in
            origin.running -= 1
            if hasFailed, origin.kind == .unknown { origin.kind = .single }
        }
    }

    mutating func withdraw(_ id: TransferID, from name: String) {
        guard var origin = origins[name] else { return }
        origin.waiting.removeSubrange(..<origin.next)
        origin.next = 0
        origin.waiting.removeAll { $0 == id }
        origins[name] = origin
    }

    /// Changes an origin, which is looked up once, and releases the transfers that may run then.
    private mutating func change(_ name: String, _ change: (inout Origin) -> Void) -> [TransferID] {
        guard let place = origins.index(forKey: name) else { return [] }
        change(&origins.values[place])
        let released = origins.values[place].release(connections)
        // We keep the kind while an origin has transfers; connections do not outlive them for long.
        if origins.values[place].running == 0, origins.values[place].waiting.isEmpty {
            origins.remove(at: place)
        }
        return released
    }
}

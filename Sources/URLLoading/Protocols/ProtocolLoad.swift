import FoundationEssentials

/// Checks the order of a protocol's calls: a response, data, an end.
///
/// Each event returns whether the call is valid; the load ignores a call that is out of order.
struct ProtocolLoad {
    /// Bytes to buffer before the protocol is blocked.
    static let limit = 1 << 20

    private enum Stage {
        /// → responded, ended
        case begun
        /// → ended
        case responded
        case ended
    }

    private var stage = Stage.begun
    private var head: SourceResponse?
    private var pieces: [Data] = []
    /// The number of pieces taken, and the offset in the next one.
    private var first = 0
    private var taken = 0
    private var failure: URLError?
    /// The number of buffered bytes.
    private(set) var waiting = 0
    private(set) var isStopped = false

    /// Whether further calls can be valid.
    private var isLive: Bool { !isStopped && stage != .ended }

    mutating func receive(_ head: SourceResponse) -> Bool {
        guard isLive, stage == .begun else { return false }
        self.head = head
        stage = .responded
        // A redirect has no body.
        if case .redirect = head { stage = .ended }
        return true
    }

    mutating func load(_ data: Data) -> Bool {
        guard isLive, stage == .responded, !data.isEmpty else { return false }
        pieces.append(data)
        waiting += data.count
        return true
    }

    /// Ends the load, early if there is an error.
    mutating func end(_ error: URLError?) -> Bool {
        guard isLive else { return false }
        failure = error
        if failure == nil, stage == .begun {
            failure = URLError(
                .badServerResponse,
                detail: "the URLProtocol finished without a response"
            )
        }
        stage = .ended
        return true
    }

    /// Ends the load, because the task needs no further bytes.
    mutating func stop() {
        isStopped = true
        pieces = []
        waiting = 0
    }

    /// The head, once.
    mutating func takeHead() throws(URLError) -> SourceResponse {
        if let head {
            self.head = nil
            return head
        }
        if let failure { throw failure }
        return .later
    }

    /// The next bytes.
    mutating func take(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        guard first < pieces.count else {
            guard stage == .ended else { return .later }
            if let failure { throw failure }
            return .end
        }
        let piece = pieces[first]
        let count = min(space.count, piece.count - taken)
        piece.withUnsafeBytes { space.copyBytes(from: $0[taken..<taken + count]) }
        taken += count
        waiting -= count
        if taken == piece.count {
            taken = 0
            first += 1
            if first == pieces.count {
                pieces.removeAll(keepingCapacity: first < 64)
                first = 0
            } else {
                // Releases the bytes that the hop has taken.
                pieces[first - 1] = Data()
            }
        }
        return .bytes(count)
    }
}

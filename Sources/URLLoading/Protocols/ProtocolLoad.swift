import FoundationEssentials

/// The calls of a protocol so far, in the only order that is valid: a response, data, an end.
///
/// Each event returns whether it is valid; a call that is out of order is ignored.
struct ProtocolLoad {
    /// What is buffered before a protocol is blocked, bytes.
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
    /// The pieces that were taken, and the offset in the next one.
    private var first = 0
    private var taken = 0
    private var failure: URLError?
    /// The bytes that wait to be taken.
    private(set) var waiting = 0
    private(set) var isStopped = false

    /// Whether further calls are valid.
    private var isLive: Bool { !isStopped && stage != .ended }

    mutating func receive(_ head: SourceResponse) -> Bool {
        guard isLive, stage == .begun else { return false }
        self.head = head
        stage = .responded
        // A response that redirects has no body here.
        if case .redirect = head { stage = .ended }
        return true
    }

    mutating func load(_ data: Data) -> Bool {
        guard isLive, stage == .responded, !data.isEmpty else { return false }
        pieces.append(data)
        waiting += data.count
        return true
    }

    /// - Parameter error: why it ends early; `nil`: it is complete.
    /// - Returns: whether the call was valid.
    mutating func end(_ error: URLError?) -> Bool {
        guard isLive else { return false }
        failure = error
        if failure == nil, stage == .begun {
            failure = URLError(.badServerResponse, detail: "the protocol ended without a response")
        }
        stage = .ended
        return true
    }

    /// The task wants no more.
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
                // Its bytes are not wanted any more.
                pieces[first - 1] = Data()
            }
        }
        return .bytes(count)
    }
}

/// Identifies an open connection: its remote address and port, and its own port.
struct ConnectionName: Hashable {
    let address: String
    let port: CInt
    let ownPort: CInt
}

/// What HTTP/2 servers report about streams that they have not acted upon, as far as it concerns one
/// transfer.
///
/// libcurl 7.88.1 reports it in its trace alone. So we trace only the requests that we may not send twice.
struct StreamRefusals {
    /// Whether we may repeat the request only if the server has refused it.
    let isTracking: Bool
    /// Whether the server may have acted on the request.
    private(set) var mayHaveReachedServer = false
    /// Whether the server has refused the request's stream, and libcurl has not sent the request again yet.
    private(set) var isRefused = false
    /// The number of the request's stream, if libcurl traces it.
    private var stream: UInt32?
    /// The connection that libcurl sends the request over, if that connection may carry other requests.
    private var connection: ConnectionName?

    init(isTracking: Bool) {
        self.isTracking = isTracking
    }

    /// Notes that libcurl is about to send the request.
    mutating func beginRequest() {
        (stream, connection) = (nil, nil)
        mayHaveReachedServer = true
    }

    /// Notes that libcurl is about to send the request over a connection, which may be new.
    mutating func begin(over name: ConnectionName, isNew: Bool, _ goaways: inout Goaways) {
        connection = name
        // A GOAWAY of an earlier connection with the same port no longer holds.
        if isNew { goaways.forget(name) }
    }

    /// Notes that libcurl sends a part of the request's body.
    mutating func noteSupplied() {
        isRefused = false
    }

    mutating func note(trace line: UnsafeRawBufferPointer, _ goaways: inout Goaways) {
        // Most lines match none of the three patterns.
        guard let first = line.first, "RUr".utf8.contains(first) else { return }
        let line = String(decoding: line, as: UTF8.self)
        if line.utf8.starts(with: "REFUSED_STREAM".utf8) {
            noteRefused()
        } else if let number = Self.number(in: line, behind: "Using Stream ID: ", radix: 16) {
            stream = number
        } else if line.contains("GOAWAY"),
            let last = Self.number(in: line, behind: "last_stream=", radix: 10)
        {
            // One transfer reads the GOAWAY for all streams of the connection. The last GOAWAY counts
            // (RFC 9113 §6.8); it never names a later stream than the ones before.
            if let connection {
                goaways.note(last, over: connection)
            } else if let stream, last < stream {
                noteRefused()
            }
        }
    }

    /// Checks for a GOAWAY, which any transfer of the connection may have read.
    mutating func update(from goaways: Goaways) {
        guard isTracking, let stream, let connection, let last = goaways.last(over: connection),
            last < stream
        else { return }
        noteRefused()
    }

    /// Notes that the server has refused the request's stream, or all streams after an earlier one ([RFC
    /// 9113 §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    private mutating func noteRefused() {
        mayHaveReachedServer = false
        isRefused = true
    }

    private static func number(in line: String, behind words: String, radix: Int) -> UInt32? {
        guard let end = line.firstRange(of: words)?.upperBound else { return nil }
        return UInt32(line[end...].prefix { $0.isHexDigit }, radix: radix)
    }
}

/// The last streams that the servers of a loop's connections accept, where they have sent a GOAWAY.
struct Goaways {
    /// The number of transfers whose requests we may repeat only if the server has refused them.
    private(set) var tracedTransfers = 0
    /// The last stream that the server of each connection is going to act on.
    private var lastStreams: [ConnectionName: UInt32] = [:]

    mutating func addTracedTransfer() {
        tracedTransfers += 1
    }

    mutating func removeTracedTransfer() {
        tracedTransfers -= 1
        if tracedTransfers == 0 { lastStreams = [:] }
    }

    mutating func note(_ last: UInt32, over connection: ConnectionName) {
        if tracedTransfers > 0 { lastStreams[connection] = last }
    }

    mutating func forget(_ connection: ConnectionName) {
        lastStreams[connection] = nil
    }

    func last(over connection: ConnectionName) -> UInt32? {
        lastStreams[connection]
    }
}

extension LoopEngine {
    /// Notes that a transfer begins that we may repeat only if the server has refused it.
    ///
    /// From now on, libcurl also traces the transfers that run already. A transfer that begins later
    /// switches its own trace on.
    mutating func traceGoaways() {
        // As in `endIteration`.
        let shared = shared
        shared.goaways.addTracedTransfer()
        guard shared.goaways.tracedTransfers == 1 else { return }
        for other in transfers.values where other.mayMultiplex && !other.hasEnded {
            try? other.trace()
        }
    }

    /// Notes that a transfer has ended.
    mutating func stopTracing(for transfer: Transfer) {
        guard transfer.refusals.isTracking else { return }
        // As in `endIteration`.
        let shared = shared
        transfer.refusals.update(from: shared.goaways)
        shared.goaways.removeTracedTransfer()
    }
}

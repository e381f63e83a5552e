/// What a connection is known by while it is there: where it leads, and its own port.
struct ConnectionName: Hashable {
    let address: String
    let port: CInt
    let ownPort: CInt
}

/// What HTTP/2 servers say of streams that they have not acted upon, as far as it is about one transfer.
///
/// libcurl 7.88.1 tells it in its trace alone, and so only those requests are traced that may not be
/// sent twice.
struct StreamRefusals {
    /// Whether the request may not be repeated unless the server has refused it.
    let areWanted: Bool
    /// Whether the server may have acted on the request.
    private(set) var mayHaveReachedServer = false
    /// Whether the server has refused the request's stream, and the next has not left yet.
    private(set) var isRefused = false
    /// The number of the request's stream, where that is traced.
    private var stream: UInt32?
    /// The connection that the request is sent over, where that may carry others.
    private var connection: ConnectionName?

    init(areWanted: Bool) {
        self.areWanted = areWanted
    }

    /// libcurl is about to send the request.
    mutating func beginRequest() {
        (stream, connection) = (nil, nil)
        mayHaveReachedServer = true
    }

    /// The request is about to be sent over a connection.
    ///
    /// - Parameters:
    ///   - name: the connection.
    ///   - isNew: whether it was made for this request.
    ///   - goaways: what was said over others.
    mutating func begin(over name: ConnectionName, isNew: Bool, _ goaways: inout Goaways) {
        connection = name
        // What was said over another one, which had the same port, is over with that.
        if isNew { goaways.forget(name) }
    }

    /// Something of the request's body leaves.
    mutating func noteSupplied() {
        isRefused = false
    }

    /// Takes a line of libcurl's trace.
    mutating func note(trace line: UnsafeRawBufferPointer, _ goaways: inout Goaways) {
        // Most lines are neither of these.
        guard let first = line.first, "RUr".utf8.contains(first) else { return }
        let line = String(decoding: line, as: UTF8.self)
        if line.utf8.starts(with: "REFUSED_STREAM".utf8) {
            noteRefused()
        } else if let number = Self.number(in: line, behind: "Using Stream ID: ", radix: 16) {
            stream = number
        } else if line.contains("GOAWAY"),
            let last = Self.number(in: line, behind: "last_stream=", radix: 10)
        {
            // The transfer that reads it reads it for all streams of the connection; the last word
            // counts (RFC 9113 §6.8), which is never a later stream.
            if let connection {
                goaways.note(last, over: connection)
            } else if let stream, last < stream {
                noteRefused()
            }
        }
    }

    /// Looks whether the server has said that it goes no further than an earlier stream, whichever
    /// transfer has read that.
    mutating func look(at goaways: Goaways) {
        guard areWanted, let stream, let connection, let last = goaways.last(over: connection),
            last < stream
        else { return }
        noteRefused()
    }

    /// The server has refused the request's stream, or has said that it goes no further than an
    /// earlier one: it has not acted on it
    /// ([RFC 9113 §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    private mutating func noteRefused() {
        mayHaveReachedServer = false
        isRefused = true
    }

    private static func number(in line: String, behind words: String, radix: Int) -> UInt32? {
        guard let end = line.firstRange(of: words)?.upperBound else { return nil }
        return UInt32(line[end...].prefix { $0.isHexDigit }, radix: radix)
    }
}

/// How far the servers of a loop's connections go, where they have said so.
struct Goaways {
    /// How many transfers there are whose requests may be repeated only where they were refused.
    private(set) var listeners = 0
    /// The last stream that a connection's server is going to act on.
    private var lastStreams: [ConnectionName: UInt32] = [:]

    mutating func addListener() {
        listeners += 1
    }

    mutating func removeListener() {
        listeners -= 1
        if listeners == 0 { lastStreams = [:] }
    }

    mutating func note(_ last: UInt32, over connection: ConnectionName) {
        if listeners > 0 { lastStreams[connection] = last }
    }

    mutating func forget(_ connection: ConnectionName) {
        lastStreams[connection] = nil
    }

    func last(over connection: ConnectionName) -> UInt32? {
        lastStreams[connection]
    }
}

extension LoopEngine {
    /// A transfer begins that may be repeated only where it was refused.
    ///
    /// Those that run already are traced from now on; those that begin later see for themselves.
    mutating func traceGoaways() {
        shared.goaways.addListener()
        guard shared.goaways.listeners == 1 else { return }
        for other in transfers.values where other.mayMultiplex && !other.hasEnded {
            try? other.trace()
        }
    }

    /// A transfer is over.
    mutating func stopTracing(for transfer: Transfer) {
        guard transfer.refusals.areWanted else { return }
        transfer.refusals.look(at: shared.goaways)
        shared.goaways.removeListener()
    }
}

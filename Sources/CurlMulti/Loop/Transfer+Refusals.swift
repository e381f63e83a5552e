// What HTTP/2 servers say of streams that they have not acted upon. libcurl 7.88.1 tells it in its
// trace alone, and so only those requests are traced that may not be sent twice.
extension Transfer {
    /// Takes a line of libcurl's trace.
    func note(trace line: UnsafeRawBufferPointer) {
        // Most lines are neither of these.
        guard let first = line.first, "RUr".utf8.contains(first) else { return }
        let line = String(decoding: line, as: UTF8.self)
        if line.hasPrefix("REFUSED_STREAM") {
            noteRefusedStream()
        } else if let number = Self.number(in: line, behind: "Using Stream ID: ", radix: 16) {
            stream = number
        } else if line.contains("GOAWAY"),
            let last = Self.number(in: line, behind: "last_stream=", radix: 10)
        {
            // Whoever reads it reads it for all streams of the connection; the last word counts
            // (RFC 9113 §6.8), which is never a later stream.
            if let connectionName {
                if turn.noting > 0 { turn.lastStreams[connectionName] = last }
            } else if let stream, last < stream {
                noteRefusedStream()
            }
        }
    }

    /// The request is about to be sent over a connection.
    func begin(over name: ConnectionName) {
        connectionName = name
        // What was said over another one, which had the same port, is over with that.
        if hasConnected { turn.lastStreams[name] = nil }
        hasConnected = false
    }

    /// Looks whether the server has said that it goes no further than an earlier stream, whoever
    /// has read that.
    func lookForRefusal() {
        guard notesRefusals, let stream, let connectionName,
            let last = turn.lastStreams[connectionName], last < stream
        else { return }
        noteRefusedStream()
    }

    /// The server has refused the request's stream, or has said that it goes no further than an
    /// earlier one: it has not acted on it
    /// ([RFC 9113 §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    private func noteRefusedStream() {
        mayHaveReachedServer = false
        isStreamRefused = true
    }

    /// Has the body begin again, for a connection that died or a stream that was refused.
    func rewindBody(to offset: Int64) -> Bool {
        lookForRefusal()
        return handler.rewindBody(to: offset, wasRefused: isStreamRefused)
    }

    private static func number(in line: String, behind words: String, radix: Int) -> UInt32? {
        guard let end = line.firstRange(of: words)?.upperBound else { return nil }
        return UInt32(line[end...].prefix { $0.isHexDigit }, radix: radix)
    }
}

import Foundation
import Synchronization

extension SocketConnection {
    /// Sends a text in UTF-8, unchanged; a head's lines end in `\r\n`, its last is empty.
    ///
    /// - Throws: `TestSupportError.system` when the client has closed.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends bytes, and blocks until the kernel has taken them all.
    ///
    /// - Throws: `TestSupportError.system` when the client has closed.
    public func send(_ bytes: [UInt8]) throws {
        try send(bytes[...])
    }

    /// Sends bytes piece by piece, each a segment of its own, with a pause between two.
    ///
    /// - Parameters:
    ///   - bytes: All bytes.
    ///   - piece: The number of bytes per piece.
    ///   - every: The pause.
    /// - Throws: `TestSupportError.system` when the client has closed.
    public func sendSlowly(_ bytes: [UInt8], piece: Int, every: Duration) throws {
        for start in stride(from: 0, to: bytes.count, by: piece) {
            if start > 0 { pause(every) }
            try send(bytes[start..<min(start + piece, bytes.count)])
        }
    }

    /// Sends a text piece by piece, each a segment of its own, with a pause between two.
    public func sendSlowly(_ text: String, piece: Int, every: Duration) throws {
        try sendSlowly(Array(text.utf8), piece: piece, every: every)
    }

    /// Sends a whole response with a correct Content-Length.
    ///
    /// - Parameters:
    ///   - status: The status and its reason.
    ///   - fields: More header fields, as `Name: value`.
    ///   - body: The body.
    /// - Throws: `TestSupportError.system` when the client has closed.
    public func respond(
        _ status: String = "200 OK",
        _ fields: [String] = [],
        body: [UInt8]
    ) throws {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
        let head = lines.map { $0 + "\r\n" }.joined() + "\r\n"
        try send(Array(head.utf8) + body)
    }

    /// Sends a whole response with a text as its body and a correct Content-Length.
    public func respond(
        _ status: String = "200 OK",
        _ fields: [String] = [],
        body: String = ""
    ) throws {
        try respond(status, fields, body: Array(body.utf8))
    }

    /// Blocks the connection's thread for a duration.
    public func pause(_ duration: Duration) {
        Thread.sleep(forTimeInterval: duration / .seconds(1))
    }

    private func send(_ bytes: ArraySlice<UInt8>) throws {
        guard let number = socket.withLock({ $0?.number }) else {
            throw TestSupportError.systemError("send", code: EBADF)
        }
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent >= 0 else { throw TestSupportError.lastSystemError("send") }
            rest = rest.dropFirst(sent)
        }
    }
}

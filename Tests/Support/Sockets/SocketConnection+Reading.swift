import Foundation
import Synchronization

extension SocketConnection {
    /// Reads the body that a head announces: by Content-Length, chunked, or none.
    ///
    /// - Throws: `TestSupportError.peerClosed` when the client ends the body early.
    public func readBody(_ head: HTTPHead) throws -> [UInt8] {
        if head["Transfer-Encoding"]?.lowercased() == "chunked" {
            return try readChunks()
        }
        guard let text = head["Content-Length"] else { return [] }
        guard let length = Int(text), length >= 0 else {
            throw TestSupportError.malformed("Content-Length \(text)")
        }
        return try read(exactly: length)
    }

    /// Reads a number of bytes.
    ///
    /// - Throws: `TestSupportError.peerClosed` when fewer arrive.
    public func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += received.withLock { buffer in
                let wanted = count - bytes.count
                guard buffer.count > wanted else {
                    defer { buffer = [] }
                    return buffer
                }
                defer { buffer.removeFirst(wanted) }
                return Array(buffer[..<wanted])
            }
            if bytes.count < count, try !receive() {
                throw TestSupportError.peerClosed("\(count) bytes, after \(bytes.count)")
            }
        }
        return bytes
    }

    /// Reads until the client ends its side.
    public func readToEnd() throws -> [UInt8] {
        while try receive() {}
        return received.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
    }

    /// Waits until the client has closed or reset the connection, and discards received bytes.
    ///
    /// - Throws: `TestSupportError.timedOut` when the client sends nothing and keeps the connection for
    ///   30 s.
    public func waitForPeerToClose() throws {
        do {
            _ = try readToEnd()
        } catch TestSupportError.system {
            // A reset closes the connection as well.
        }
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try readLine()
            let digits = line.prefix { $0 != ";" }
            guard let size = Int(digits, radix: 16), size >= 0 else {
                throw TestSupportError.malformed("chunk size \(line)")
            }
            if size == 0 { break }
            body += try read(exactly: size)
            guard try readLine().isEmpty else {
                throw TestSupportError.malformed("chunk longer than its size")
            }
        }
        while try !readLine().isEmpty {}
        return body
    }

    /// Reads a line and returns it without its line end.
    private func readLine() throws -> String {
        var line: [UInt8] = []
        while true {
            let byte = try read(exactly: 1)
            if byte == [UInt8(ascii: "\n")] { break }
            line += byte
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Waits for more bytes and buffers them; `false` at the end of the stream.
    func receive() throws -> Bool {
        guard let number = socket.withLock({ $0?.number }) else {
            throw TestSupportError.systemError("recv", code: EBADF)
        }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            repeat {
                count = recv(number, buffer.baseAddress, buffer.count, 0)
            } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else {
            if errno == EAGAIN {
                let seen = received.withLock { String(decoding: $0, as: UTF8.self) }
                throw TestSupportError.timedOut("the client to send or close", seen: seen)
            }
            throw TestSupportError.lastSystemError("recv")
        }
        received.withLock { $0 += bytes }
        return count > 0
    }
}

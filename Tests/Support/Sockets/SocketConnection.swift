import Foundation
import Synchronization

/// One accepted connection of a `SocketServer`, passed to the test's closure.
///
/// All calls block, and belong on the closure's thread; only `abort()` may be called from another thread.
/// A read that gets nothing for 30 s throws.
public final class SocketConnection: Sendable {
    /// The number of the connection on its server, counted from 0.
    public let number: Int

    /// The socket; the lock keeps `abort()` from using a closed descriptor.
    let socket: Mutex<Descriptor?>
    /// Received bytes that no call has returned yet.
    let received = Mutex<[UInt8]>([])
    /// Records heads.
    private let record: @Sendable (HTTPHead) -> Void

    init(
        _ descriptor: consuming Descriptor,
        number: Int,
        record: @escaping @Sendable (HTTPHead) -> Void
    ) {
        self.number = number
        self.record = record
        let seconds = Duration.seconds(30).scaled.components.seconds
        var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor.number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var isOn: Int32 = 1
        setsockopt(
            descriptor.number,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &isOn,
            socklen_t(MemoryLayout<Int32>.size)
        )
        socket = Mutex(descriptor)
    }

    /// Reads the head of a request.
    ///
    /// - Throws: `TestSupportError.peerClosed` when the client sends none or an incomplete one.
    public func readHead() throws -> HTTPHead {
        guard let head = try nextHead() else { throw TestSupportError.peerClosed("a head") }
        return head
    }

    /// Reads the head of a request, or returns `nil` when the client has closed instead.
    ///
    /// For servers that keep connections: `while let head = try connection.nextHead() { … }`.
    public func nextHead() throws -> HTTPHead? {
        while true {
            let found = try received.withLock { buffer -> HTTPHead? in
                guard let end = Self.endOfHead(buffer) else { return nil }
                let head = try HTTPHead(bytes: buffer[..<end.head])
                buffer.removeFirst(end.next)
                return head
            }
            if let found {
                record(found)
                return found
            }
            guard try receive() else {
                guard received.withLock({ $0.isEmpty }) else {
                    throw TestSupportError.peerClosed("a head")
                }
                return nil
            }
        }
    }

    /// Closes the connection properly: the sent bytes arrive, then the client reads an end.
    public func close() {
        socket.withLock { $0 = nil }
    }

    /// Breaks the connection with a RST, which the client reports as "connection reset by peer".
    public func reset() {
        socket.withLock { descriptor in
            guard let number = descriptor?.number else { return }
            var now = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            setsockopt(number, SOL_SOCKET, SO_LINGER, &now, size)
            descriptor = nil
        }
    }

    /// Ends only the sending side: the client reads an end, and may still send.
    public func finishSending() {
        socket.withLock { if let number = $0?.number { _ = shutdown(number, Int32(SHUT_WR)) } }
    }

    /// Ends both sides without closing, so that a blocked call returns; from any thread.
    func abort() {
        socket.withLock { if let number = $0?.number { _ = shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// The end of the first head and the start of the following bytes; lines may end in a bare LF.
    private static func endOfHead(_ buffer: [UInt8]) -> (head: Int, next: Int)? {
        let newline = UInt8(ascii: "\n")
        for index in buffer.indices where buffer[index] == newline {
            let rest = buffer[(index + 1)...]
            if rest.first == newline { return (index, index + 2) }
            if rest.starts(with: [UInt8(ascii: "\r"), newline]) { return (index, index + 3) }
        }
        return nil
    }
}

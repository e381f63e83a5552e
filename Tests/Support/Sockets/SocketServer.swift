import Foundation
import Synchronization

/// A server with the behavior of a test's closure, for faults that no real server has.
///
/// ```swift
/// let server = try SocketServer { connection in
///     _ = try connection.readHead()
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
/// }
/// ```
///
/// Each connection has a thread of its own, on which the closure is called; when the closure
/// returns or throws, the connection is closed. The server ends with its last reference: keep
/// it in a variable, and end the test with `try server.verify()`.
public final class SocketServer: Sendable {
    /// The port on the loopback address.
    public let port: Int
    private let listener: SocketListener
    private let log: SocketServerLog
    private let host: String

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - ipv6: Whether to listen on `::1` instead of `127.0.0.1`.
    ///   - receiveBuffer: Approximate number of bytes that the kernel takes before the closure reads; by
    ///     default the kernel's own. A small one makes a client's upload wait for the closure.
    ///   - behavior: Called with each connection.
    /// - Throws: `TestSupportError.system` when this machine has no such address.
    public init(
        ipv6: Bool = false,
        receiveBuffer: Int? = nil,
        _ behavior: @escaping @Sendable (SocketConnection) throws -> Void
    ) throws {
        let listener = try SocketListener(ipv6: ipv6, receiveBuffer: receiveBuffer)
        let log = SocketServerLog()
        self.listener = listener
        self.log = log
        port = listener.port
        host = ipv6 ? "[::1]" : "127.0.0.1"
        // The threads reference the listener and the log but not the server, so that the server can end.
        Thread.detachNewThread {
            while let accepted = listener.accept() {
                guard let connection = log.open(accepted) else { break }
                Thread.detachNewThread {
                    do {
                        try behavior(connection)
                    } catch {
                        log.note(error)
                    }
                    connection.close()
                    log.close(connection)
                }
            }
        }
    }

    deinit {
        stop()
    }

    /// Stops accepting and ends every connection, so that all threads return.
    public func stop() {
        listener.shutDown()
        log.stop()
    }

    /// A path on this server: `http://127.0.0.1:PORT/…`.
    public func url(_ path: String = "/") -> String {
        "http://\(host):\(port)\(path)"
    }

    /// The heads read so far, of all connections, in their order of arrival.
    public var heads: [HTTPHead] { log.heads }

    /// The number of heads read so far.
    public var requestCount: Int { log.heads.count }

    /// The number of connections accepted so far.
    public var connectionCount: Int { log.connectionCount }

    /// Whether the closure has been called at all.
    public var wasCalled: Bool { connectionCount > 0 }

    /// The errors that the closure has thrown so far; a client that closes early causes one, too.
    public var errors: [any Error] { log.errors }

    /// Fails the test if the closure was never called.
    ///
    /// - Throws: `TestSupportError.timedOut` then.
    public func verify() throws {
        guard wasCalled else {
            throw TestSupportError.timedOut("a connection to port \(port)", seen: "none")
        }
    }
}

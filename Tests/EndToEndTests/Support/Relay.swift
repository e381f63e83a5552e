import Foundation
import TestSupport

/// A connection to a loopback port, for a server that forwards received bytes.
final class Relay: Sendable {
    private let number: Int32

    /// Connects to 127.0.0.1.
    init(port: Int) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(number, $0.assumingMemoryBound(to: sockaddr.self), size)
            }
        }
        guard connected == 0 else {
            throw TestSupportError.system(call: "connect", reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(number)
    }

    /// Forwards bytes both ways until one side ends, or the port has sent `limit` bytes.
    func run(_ connection: SocketConnection, cutAfter limit: Int = .max) throws {
        Thread.detachNewThread { [self] in
            // The other direction; a failed write ends it, and the client sees the end.
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var left = limit
            while left > 0 {
                let count = recv(number, &buffer, min(left, buffer.count), 0)
                left -= max(0, count)
                guard count > 0, (try? connection.send(Array(buffer[..<count]))) != nil else {
                    break
                }
            }
            connection.finishSending()
        }
        defer { shutdown(number, Int32(SHUT_RDWR)) }
        while let byte = try? connection.read(exactly: 1) {
            guard send(number, byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { return }
        }
    }
}

import CTestSupport
import Foundation
import Synchronization

/// A listening TCP socket on a loopback address and a port that the kernel chose.
final class SocketListener: Sendable {
    /// The port.
    let port: Int
    private let number: Int32
    /// A second socket on the same port that never listens, and reserves the port.
    ///
    /// The kernel gives a port of its own choice to other sockets once no server listens there.
    private let keeper: Int32
    private let isOpen = Mutex(true)

    /// Binds and listens.
    init(ipv6: Bool = false, receiveBuffer: Int? = nil) throws {
        number = try Self.open(ipv6: ipv6)
        do {
            keeper = try Self.open(ipv6: ipv6)
        } catch {
            Glibc.close(number)
            throw error
        }
        if let receiveBuffer {
            // Accepted sockets inherit it; only set here does it affect the window in time.
            var size = Int32(receiveBuffer)
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        do {
            port = try Self.bind(number, ipv6: ipv6, to: 0)
            _ = try Self.bind(keeper, ipv6: ipv6, to: port)
            guard listen(number, 128) == 0 else { throw TestSupportError.lastSystemError("listen") }
        } catch {
            Glibc.close(number)
            Glibc.close(keeper)
            throw error
        }
    }

    deinit {
        close()
    }

    /// Waits for the next connection; `nil` once the listener is shut down.
    func accept() -> Descriptor? {
        while true {
            let accepted = accept4(number, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if accepted >= 0 { return try? Descriptor(accepted, from: "accept4") }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Ends `accept()` permanently; the port stays taken until `close()`.
    func shutDown() {
        isOpen.withLock { if $0 { _ = shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// Releases the port.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen {
                Glibc.close(number)
                Glibc.close(keeper)
            }
            isOpen = false
        }
    }

    /// A socket that shares its port with this user's other sockets that bind to the port by number.
    private static func open(ipv6: Bool) throws -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = socket(ipv6 ? AF_INET6 : AF_INET, kind, 0)
        guard number >= 0 else { throw TestSupportError.lastSystemError("socket") }
        var isShared: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEPORT, &isShared, socklen_t(MemoryLayout<Int32>.size))
        return number
    }

    /// Binds a socket to a loopback address.
    ///
    /// - Parameters:
    ///   - number: The socket.
    ///   - ipv6: Whether the address is an IPv6 address.
    ///   - port: The port; 0: the kernel chooses.
    /// - Returns: The port.
    /// - Throws: `TestSupportError` with the reason of bind(2).
    private static func bind(_ number: Int32, ipv6: Bool, to port: Int) throws -> Int {
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            address.sin6_port = UInt16(port).bigEndian
            try bindAndAsk(number, &address)
            return Int(UInt16(bigEndian: address.sin6_port))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = UInt16(port).bigEndian
        try bindAndAsk(number, &address)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Binds to an address and writes it back, with the kernel's port where it had none.
    private static func bindAndAsk<Address>(_ number: Int32, _ address: inout Address) throws {
        var length = socklen_t(MemoryLayout<Address>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let pointer, Glibc.bind(number, pointer, length) == 0,
                getsockname(number, pointer, &length) == 0
            else { throw TestSupportError.lastSystemError("bind") }
        }
    }
}

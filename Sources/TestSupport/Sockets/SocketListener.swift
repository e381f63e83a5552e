import CTestSupport
import Foundation
import Synchronization

/// A listening TCP socket on a loopback address and a port that the kernel chose.
final class SocketListener: Sendable {
    /// The port.
    let port: Int
    private let number: Int32
    private let isOpen = Mutex(true)

    /// Binds and listens.
    init(ipv6: Bool = false, receiveBuffer: Int? = nil) throws {
        let family = ipv6 ? AF_INET6 : AF_INET
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        number = socket(family, kind, 0)
        guard number >= 0 else { throw TestSupportError.lastSystemError("socket") }
        if let receiveBuffer {
            // Inherited by accepted sockets, and only in time for the window if set here.
            var size = Int32(receiveBuffer)
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        do {
            port = try ipv6 ? Self.bindIPv6(number) : Self.bindIPv4(number)
            guard listen(number, 128) == 0 else { throw TestSupportError.lastSystemError("listen") }
        } catch {
            Glibc.close(number)
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

    /// Ends `accept()`, now and for good; the port stays taken until `close()`.
    func shutDown() {
        isOpen.withLock { if $0 { _ = shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// Gives the port back.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { Glibc.close(number) }
            isOpen = false
        }
    }

    private static func bindIPv4(_ number: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        try bindAndAsk(number, &address)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func bindIPv6(_ number: Int32) throws -> Int {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        try bindAndAsk(number, &address)
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    /// Binds to an address with port 0 and writes back the address with the port chosen.
    private static func bindAndAsk<Address>(_ number: Int32, _ address: inout Address) throws {
        var length = socklen_t(MemoryLayout<Address>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let pointer, bind(number, pointer, length) == 0,
                getsockname(number, pointer, &length) == 0
            else { throw TestSupportError.lastSystemError("bind") }
        }
    }
}

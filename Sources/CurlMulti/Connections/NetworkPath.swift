import CCurl
import Glibc

/// Finds out whether this machine has a route to an address, from the kernel alone: it sends no packet.
enum NetworkPath {
    /// The flags `IFF_UP`, `IFF_LOOPBACK` and `IFF_RUNNING` of netdevice(7); the last marks a link with
    /// a carrier.
    private static let up: UInt32 = 0x1
    private static let loopback: UInt32 = 0x8
    private static let running: UInt32 = 0x40

    /// Whether this machine has a route to an address, a source address for it, and a link that works.
    static func exists(to address: SocketAddress) -> Bool {
        !isAbsence(error(to: address))
    }

    /// The `errno` that blocks the route to an address; 0 if none does, or if we cannot find out.
    static func error(to address: SocketAddress) -> CInt {
        guard !address.host.isEmpty else { return 0 }
        // When a datagram socket connects, the kernel only looks its route up.
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let probe = socket(address.family, type, 0)
        guard probe >= 0 else { return errno == EAFNOSUPPORT ? ENETUNREACH : 0 }
        defer { close(probe) }
        guard address.withSocketAddress({ connect(probe, $0, $1) }) == 0 else {
            return isAbsence(errno) ? errno : 0
        }
        guard let source = source(of: probe) else { return 0 }
        return hasCarrier(under: source) ? 0 : ENETDOWN
    }

    /// Whether an `errno` says that no host can be reached there.
    static func isAbsence(_ error: CInt) -> Bool {
        [ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL, ENONET].contains(error)
    }

    /// Whether any link but the loopback is up and has an address that is not only link-local; also `true`
    /// if the kernel gives no list.
    static var hasLink: Bool {
        anyInterface { flags, address in
            flags & up != 0 && flags & running != 0 && flags & loopback == 0
                && !address.isLinkLocal
        } ?? true
    }

    /// The source address of a connected socket.
    private static func source(of probe: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var count = socklen_t(MemoryLayout.size(ofValue: storage))
        let failure = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(probe, $0, &count)
            }
        }
        guard failure == 0 else { return nil }
        return withUnsafeBytes(of: &storage) { bytes in
            SocketAddress(UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(count))))
        }
    }

    /// Whether the interface that has an address has a carrier; also `true` if no interface has the address.
    private static func hasCarrier(under source: SocketAddress) -> Bool {
        var isKnown = false
        let isRunning = anyInterface { flags, address in
            guard address.family == source.family, address.host == source.host else { return false }
            isKnown = true
            return flags & running != 0
        }
        return isRunning ?? true || !isKnown
    }

    /// Whether any internet address of an interface satisfies a condition; `nil` if the kernel gives no
    /// list.
    private static func anyInterface(
        _ holds: (_ flags: UInt32, _ address: SocketAddress) -> Bool
    ) -> Bool? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            guard let address = entry.pointee.ifa_addr else { continue }
            let family = CInt(address.pointee.sa_family)
            let size =
                switch family {
                case AF_INET: MemoryLayout<sockaddr_in>.size
                case AF_INET6: MemoryLayout<sockaddr_in6>.size
                default: 0
                }
            guard size > 0 else { continue }
            let bytes = UnsafeRawBufferPointer(start: address, count: size)
            if holds(entry.pointee.ifa_flags, SocketAddress(bytes)) { return true }
        }
        return false
    }
}

/// A `struct sockaddr`, byte for byte.
struct SocketAddress: Sendable, Hashable {
    let family: CInt
    let bytes: [UInt8]

    /// The address that libcurl is about to connect to.
    init(_ address: UnsafePointer<curl_sockaddr>) {
        family = address.pointee.family
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        bytes = Array(
            UnsafeRawBufferPointer(
                start: UnsafeRawPointer(address) + offset,
                count: Int(address.pointee.addrlen)
            )
        )
    }

    /// Copies the bytes that the kernel has written.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = Array(bytes)
        family = bytes.count < 2 ? 0 : CInt(bytes.loadUnaligned(as: sa_family_t.self))
    }

    /// The bytes of the host's address, without port and scope; empty if it is no internet address.
    var host: ArraySlice<UInt8> {
        switch family {
        case AF_INET: bytes.dropFirst(4).prefix(4)
        case AF_INET6: bytes.dropFirst(8).prefix(16)
        default: []
        }
    }

    /// Whether the address is valid on its own link only ([RFC
    /// 3927](https://www.rfc-editor.org/rfc/rfc3927), [RFC 4291
    /// §2.5.6](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.6)).
    var isLinkLocal: Bool {
        let start = Array(host.prefix(2))
        guard start.count == 2 else { return false }
        return switch family {
        case AF_INET: start == [169, 254]
        case AF_INET6: start[0] == 0xFE && start[1] & 0xC0 == 0x80
        default: false
        }
    }

    /// Calls a function that takes a `sockaddr`.
    func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        let count = min(bytes.count, MemoryLayout.size(ofValue: storage))
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix(count)) }
        return withUnsafePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(count))
            }
        }
    }
}

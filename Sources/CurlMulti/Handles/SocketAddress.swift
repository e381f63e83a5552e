import CCurl
import Glibc

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

    /// What the kernel has written.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = Array(bytes)
        family = bytes.count < 2 ? 0 : CInt(bytes.loadUnaligned(as: sa_family_t.self))
    }

    /// The host's part, without port and scope; empty where it is no internet address.
    var host: ArraySlice<UInt8> {
        switch family {
        case AF_INET: bytes.dropFirst(4).prefix(4)
        case AF_INET6: bytes.dropFirst(8).prefix(16)
        default: []
        }
    }

    /// Whether it means something on its own link only
    /// ([RFC 3927](https://www.rfc-editor.org/rfc/rfc3927),
    /// [RFC 4291 §2.5.6](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.6)).
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

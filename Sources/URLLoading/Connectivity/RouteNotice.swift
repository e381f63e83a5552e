/// What rtnetlink(7) says, as far as it matters to whoever waits for a network.
enum RouteNotice {
    /// Types of messages, from `linux/netlink.h` and `linux/rtnetlink.h`.
    private enum Kind {
        /// Messages were lost.
        static let overrun: UInt16 = 4
        static let newLink: UInt16 = 16
        static let newAddress: UInt16 = 20
        static let newRoute: UInt16 = 24
        static let lostRoute: UInt16 = 25
    }

    /// `IFF_RUNNING` of netdevice(7): the link has a carrier.
    private static let running: UInt32 = 0x40
    /// `struct nlmsghdr`.
    private static let headerSize = 16
    /// Where `struct ifinfomsg`, behind the header, has the link's flags.
    private static let flagsOffset = headerSize + 8

    /// Whether messages that came at once say something after which more may be reached than before.
    ///
    /// A link that went down, or an address that is gone, helps nobody; a route that is gone may
    /// have stood in the way of a better one. What cannot be understood counts.
    static func mayHelp(_ messages: UnsafeRawBufferPointer) -> Bool {
        var rest = messages
        while !rest.isEmpty {
            guard rest.count >= headerSize else { return true }
            let size = Int(rest.loadUnaligned(as: UInt32.self))
            guard size >= headerSize, size <= rest.count else { return true }
            let message = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
            if mayHelp(message: message) { return true }
            // Each begins at a multiple of four (NLMSG_ALIGN).
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst((size + 3) & ~3))
        }
        return false
    }

    private static func mayHelp(message: UnsafeRawBufferPointer) -> Bool {
        switch message.loadUnaligned(fromByteOffset: 4, as: UInt16.self) {
        case Kind.newLink:
            guard message.count >= flagsOffset + 4 else { return true }
            let flags = message.loadUnaligned(fromByteOffset: flagsOffset, as: UInt32.self)
            return flags & running != 0
        case Kind.newAddress, Kind.newRoute, Kind.lostRoute, Kind.overrun: return true
        default: return false
        }
    }
}

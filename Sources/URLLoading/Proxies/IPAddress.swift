import Glibc

/// An IPv4 or IPv6 address, by its bytes.
struct IPAddress: Sendable, Hashable {
    /// 4 or 16; an IPv4 address in IPv6's clothes (`::ffff:a.b.c.d`) is the IPv4 address.
    let bytes: [UInt8]

    /// Reads an address as it is written in full: four numbers, or IPv6 without brackets and zone.
    init?(_ text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let all = withUnsafeBytes(of: &six) { Array($0) }
        let isMapped = all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        bytes = isMapped ? Array(all.suffix(4)) : all
    }

    /// Reads a URL's host: also as libcurl would, `127.1`, `0x7f.1` or `2130706433`.
    init?(host: String) {
        if let address = IPAddress(host) {
            self = address
            return
        }
        // It stops at a space, which no host has.
        var four = in_addr()
        guard host.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
            !host.utf8.contains(where: { $0 <= 0x20 }), inet_aton(host, &four) != 0
        else { return nil }
        bytes = withUnsafeBytes(of: &four) { Array($0) }
    }

    /// 127.0.0.0/8, or `::1`.
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether both begin with the same bits.
    ///
    /// An IPv4 and an IPv6 address never do.
    func shares(_ bits: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count, bits <= bytes.count * 8 else { return false }
        let whole = bits / 8
        guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = bits % 8
        guard rest > 0 else { return true }
        let mask = ~(UInt8.max >> UInt8(rest))
        return bytes[whole] & mask == other.bytes[whole] & mask
    }
}

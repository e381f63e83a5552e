import FoundationEssentials
import Glibc

/// The hosts that a session reaches without a proxy: `no_proxy` as curl reads it, with extensions.
///
/// Entries are separated by commas or spaces. An entry is one of
/// - `*`: every host;
/// - a name: that host and all below it, with or without a leading dot or `*.`;
/// - an address: that host, in any notation;
/// - a network: `10.0.0.0/8`, `fe80::/10`;
///
/// and each kind but the last may end in a port, to which the entry is then limited; an IPv6 address with a
/// port is in brackets. `localhost` and the loopback addresses are equivalent. The list ignores other
/// entries, and looks no names up.
package struct NoProxyList: Sendable, Hashable {
    private enum Pattern: Hashable {
        case all
        case domain(String)
        case addresses(IPAddress, bits: Int)
    }

    private struct Entry: Hashable {
        let pattern: Pattern
        let port: Int?
    }

    private let entries: [Entry]

    /// Parses a list.
    package init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.entry)
    }

    /// Whether the list has no entries.
    package var isEmpty: Bool { entries.isEmpty }

    /// Whether a session reaches a host without a proxy.
    ///
    /// - Parameters:
    ///   - host: a URL's host, with or without brackets.
    ///   - port: the port of the connection.
    /// - Returns: whether the host is on the list.
    package func contains(host: String, port: Int) -> Bool {
        let name = CanonicalHost.name(HostAndPort.bare(host[...]))
        let address = IPAddress(host: name)
        let isLocal = address?.isLoopback ?? IPAddress.isLocalName(name)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            switch entry.pattern {
            case .all: return true
            case .domain(let domain):
                guard address == nil else { return isLocal && IPAddress.isLocalName(domain) }
                return name.hasBytes(of: domain) || name.endsWithBytes(of: ".\(domain)")
            case .addresses(let network, let bits):
                if let address { return address.shares(bits, with: network) }
                return isLocal && network.isLoopback
            }
        }
    }

    private static func entry(_ text: Substring) -> Entry? {
        if text == "*" { return Entry(pattern: .all, port: nil) }
        if let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) {
            return network(text[..<slash], bits: text[text.utf8.index(after: slash)...])
        }
        guard let place = HostAndPort(text) else { return nil }
        if place.host == "*" { return Entry(pattern: .all, port: place.port) }
        if let address = IPAddress(place.host) {
            let pattern = Pattern.addresses(address, bits: address.bytes.count * 8)
            return Entry(pattern: pattern, port: place.port)
        }
        var domain = place.host[...]
        domain = domain.droppingBytes(of: "*.") ?? domain
        while let rest = domain.droppingBytes(of: ".") { domain = rest }
        // A `*` elsewhere is not supported.
        guard !domain.isEmpty, !domain.utf8.contains(where: { "*:".utf8.contains($0) }) else {
            return nil
        }
        return Entry(pattern: .domain(CanonicalHost.name(String(domain))), port: place.port)
    }

    private static func network(_ address: Substring, bits: Substring) -> Entry? {
        guard let network = IPAddress(HostAndPort.bare(address)), bits.utf8.count <= 3,
            let bits = Int(digits: bits), bits <= network.bytes.count * 8
        else { return nil }
        return Entry(pattern: .addresses(network, bits: bits), port: nil)
    }
}

/// An IPv4 or IPv6 address, by its bytes.
package struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes; we store an IPv4-mapped address (`::ffff:a.b.c.d`) as IPv4.
    let bytes: [UInt8]

    /// Parses an address in its full form: four numbers, or IPv6 without brackets and zone.
    package init?(_ text: String) {
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

    /// Takes the bytes of an address as they are.
    init?(bytes: [UInt8]) {
        guard [4, 16].contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Parses a URL's host, also in the forms that libcurl accepts: `127.1`, `0x7f.1` or `2130706433`.
    init?(host: String) {
        if let address = IPAddress(host) {
            self = address
            return
        }
        // inet_aton(3) ignores all after a space, which no host may contain.
        var four = in_addr()
        guard host.utf8.first.map(\.isDigit) == true,
            !host.utf8.contains(where: { $0 <= 0x20 }), inet_aton(host, &four) != 0
        else { return nil }
        bytes = withUnsafeBytes(of: &four) { Array($0) }
    }

    /// The address as inet_ntop(3) writes it.
    var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { space in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            let size = socklen_t(space.count)
            return inet_ntop(family, bytes, space.baseAddress, size).map { String(cString: $0) }
                ?? ""
        }
    }

    /// 127.0.0.0/8, or `::1`.
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether a name is `localhost`, or below it
    /// ([RFC 6761 §6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)).
    static func isLocalName(_ name: String) -> Bool {
        name == "localhost" || name.endsWithBytes(of: ".localhost")
    }

    /// Whether a URL's host is this machine.
    static func isLoopback(url text: String) -> Bool {
        guard let host = URL(string: text)?.host else { return false }
        let name = HostAndPort.bare(host[...])
        return IPAddress(host: name)?.isLoopback ?? isLocalName(name)
    }

    /// Whether both addresses begin with the same bits; always `false` for an IPv4 and an IPv6 address.
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

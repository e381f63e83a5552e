/// The hosts that are reached without a proxy: `no_proxy`, as curl reads it, and a little more.
///
/// Entries stand apart by commas or spaces. An entry is one of
/// - `*`: every host;
/// - a name: that host and all below it, with a dot or `*.` before it or not;
/// - an address: that host, in whatever way it is written;
/// - addresses by their first bits: `10.0.0.0/8`, `fe80::/10`;
///
/// and each but the last kind may end in a port, for which alone it then counts; an IPv6 address
/// with a port stands in brackets. `localhost` and the loopback addresses count for one another.
/// What is none of these counts for nothing. Names are not looked up.
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

    /// Reads a list.
    package init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.compactMap(Self.entry)
    }

    /// Whether no host is on it.
    package var isEmpty: Bool { entries.isEmpty }

    /// Whether a host is reached without a proxy.
    ///
    /// - Parameters:
    ///   - host: a URL's host, with or without brackets.
    ///   - port: the port that is connected to.
    /// - Returns: whether it is on the list.
    package func contains(host: String, port: Int) -> Bool {
        let name = HostAndPort.bare(host[...])
        let address = IPAddress(host: name)
        let isLocal = address?.isLoopback ?? Self.isLocalName(name)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            switch entry.pattern {
            case .all: return true
            case .domain(let domain):
                guard address == nil else { return isLocal && Self.isLocalName(domain) }
                return name.hasBytes(of: domain) || name.endsWithBytes(of: ".\(domain)")
            case .addresses(let network, let bits):
                if let address { return address.shares(bits, with: network) }
                return isLocal && network.isLoopback
            }
        }
    }

    /// `localhost`, and the names below it
    /// ([RFC 6761 §6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)).
    private static func isLocalName(_ name: String) -> Bool {
        name == "localhost" || name.endsWithBytes(of: ".localhost")
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
        // A star elsewhere is no pattern that anybody knows.
        guard !domain.isEmpty, !domain.utf8.contains(where: { "*:".utf8.contains($0) }) else {
            return nil
        }
        return Entry(pattern: .domain(String(domain)), port: place.port)
    }

    private static func network(_ address: Substring, bits: Substring) -> Entry? {
        guard let network = IPAddress(HostAndPort.bare(address)), bits.utf8.count <= 3,
            bits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(bits),
            bits <= network.bytes.count * 8
        else { return nil }
        return Entry(pattern: .addresses(network, bits: bits), port: nil)
    }
}

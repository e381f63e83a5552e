/// `host`, `host:port`, `[address]`, `[address]:port`, or an IPv6 address alone.
struct HostAndPort: Equatable {
    /// In lower case, without brackets, an IPv6 zone, and a dot at its end.
    let host: String
    let port: Int?

    /// Reads it; `nil` where brackets are not closed or hold no IPv6 address, or the port is no
    /// number up to 65535.
    init?(_ text: Substring) {
        var host = text
        var port: Substring?
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":") else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        if let port {
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
                number <= 65_535
            else { return nil }
            self.port = number
        } else {
            self.port = nil
        }
        self.host = Self.bare(host)
    }

    /// A host as two hosts are compared.
    static func bare(_ host: Substring) -> String {
        var host = host
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        // Only an address has a zone: in a name it would be an escape, and the rest of the name.
        if host.contains(":"), let zone = host.firstIndex(of: "%") { host = host[..<zone] }
        if host.last == ".", host.count > 1 { host.removeLast() }
        return host.lowercased()
    }
}

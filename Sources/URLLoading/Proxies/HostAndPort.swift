/// `host`, `host:port`, `[address]`, `[address]:port`, or an IPv6 address alone.
struct HostAndPort: Equatable {
    /// In lower case, without brackets, an IPv6 zone, and a dot at its end.
    let host: String
    let port: Int?

    /// Reads it; `nil` where brackets are not closed or hold no IPv6 address, or the port is no
    /// number up to 65535.
    init?(_ text: Substring) {
        let bytes = text.utf8
        var host = text
        var port: Substring?
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[bytes.index(after: text.startIndex)..<end]
            guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            let rest = text[bytes.index(after: end)...]
            guard rest.isEmpty || rest.startsWithBytes(of: ":") else { return nil }
            port = rest.isEmpty ? nil : rest.droppingBytes(of: ":")
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            colon == bytes.lastIndex(of: UInt8(ascii: ":"))
        {
            host = text[..<colon]
            port = text[bytes.index(after: colon)...]
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
        var host = Substring(host.unbracketed)
        let bytes = host.utf8
        // Only an address has a zone: in a name it would be an escape, and the rest of the name.
        if bytes.contains(UInt8(ascii: ":")), let zone = bytes.firstIndex(of: UInt8(ascii: "%")) {
            host = host[..<zone]
        }
        if host.utf8.count > 1, host.endsWithBytes(of: ".") {
            host = Substring(host.utf8.dropLast())
        }
        return host.asciiLowercased
    }
}

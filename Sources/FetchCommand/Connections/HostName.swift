import URLLoading

/// The host of a URL as text: a name, an IPv4 address, or an IPv6 address in brackets.
enum HostName {
    /// Whether the text is a valid host.
    ///
    /// A name may contain characters beyond ASCII, which libcurl converts by IDNA.
    static func isValid(_ text: String) -> Bool {
        if text.utf8.first == UInt8(ascii: "[") {
            guard text.utf8.last == UInt8(ascii: "]") else { return false }
            return isIPv6(text.dropFirst().dropLast())
        }
        return !text.isEmpty && text != "." && text.utf8.count <= 1024
            && text.utf8.allSatisfy(isNameByte)
            && !text.unicodeScalars.contains(where: Printable.isHarmful)
    }

    /// Whether the text is a valid name with a dot in it.
    static func isDomain(_ text: String) -> Bool {
        let inner = text.utf8.dropFirst().dropLast()
        return isValid(text) && inner.contains(UInt8(ascii: "."))
    }

    /// Whether a request to this host never leaves the machine: `localhost` and names below it
    /// (RFC 6761, 6.3), 127.0.0.0/8 and `[::1]`.
    static func isLoopback(_ text: String) -> Bool {
        var name = text.lowercased()
        if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        return name.hasBytes(of: "localhost") || name.hasBytes(of: "[::1]")
            || name.endsWithBytes(of: ".localhost")
            || (name.startsWithBytes(of: "127.") && IPAddress(name) != nil)
    }

    /// Whether the text is an address, with an optional zone such as `eth0` after `%25` or `%`.
    private static func isIPv6(_ text: Substring) -> Bool {
        // An address without a zone is as valid as one with any name.
        let (address, zone) = text.split(atFirst: UInt8(ascii: "%")) ?? (text, "none")
        return address.utf8.contains(UInt8(ascii: ":")) && IPAddress(String(address)) != nil
            && HTTPSyntax.isToken(zone) && !zone.utf8.contains(UInt8(ascii: "%"))
    }

    /// RFC 3986's unreserved characters, and every byte of UTF-8 beyond ASCII.
    ///
    /// Percent-escapes are refused, because an escaped host hides its name.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte >= 0x80 || "-._~".utf8.contains(byte)
    }
}

import Glibc
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
        return name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]"
            || (name.hasPrefix("127.") && IPAddress.isIPv4(name))
    }

    /// Whether the text is an address, with an optional zone such as `eth0` after `%25` or `%`.
    private static func isIPv6(_ text: Substring) -> Bool {
        guard let percent = text.firstIndex(of: "%") else { return IPAddress.isIPv6(String(text)) }
        let zone = text[text.index(after: percent)...]
        return IPAddress.isIPv6(String(text[..<percent])) && HTTPSyntax.isToken(zone)
            && !zone.contains("%")
    }

    /// RFC 3986's unreserved characters, and every byte of UTF-8 beyond ASCII.
    ///
    /// Percent-escapes are refused, because an escaped host hides its name.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte >= 0x80 || "-._~".utf8.contains(byte)
    }
}

/// IP addresses as text.
enum IPAddress {
    /// Whether the text is four decimal numbers.
    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    /// Whether the text is an IPv6 address, without brackets and zone.
    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}

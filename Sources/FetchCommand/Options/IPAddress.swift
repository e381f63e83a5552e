import Glibc

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

    /// `::1` of `[::1]`.
    static func unbracketed(_ text: Substring) -> String {
        text.first == "[" && text.last == "]" ? String(text.dropFirst().dropLast()) : String(text)
    }
}

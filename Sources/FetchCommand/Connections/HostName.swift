import URLLoading

/// The host of a URL as text: a name, an IPv4 address, or an IPv6 address in brackets.
enum HostName {
    /// Whether the text is a valid host; libcurl converts characters beyond ASCII by IDNA.
    static func isValid(_ text: String) -> Bool {
        if text.utf8.first == UInt8(ascii: "[") {
            guard text.utf8.last == UInt8(ascii: "]") else { return false }
            return isIPv6(text.dropFirst().dropLast())
        }
        // RFC 3986's unreserved bytes, and UTF-8 beyond ASCII; an escaped host would hide its name.
        return !text.isEmpty && text != "." && text.utf8.count <= 1024
            && text.utf8.allSatisfy { $0.isAlphanumeric || $0 >= 0x80 || "-._~".utf8.contains($0) }
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
}

/// The schemes that are allowed, in curl's notation: `=https`, `-all,https`, `-http`.
struct SchemeList: Equatable, Sendable {
    static let all = SchemeList(schemes: known)

    private static let known = ["http", "https", "file", "data"]

    /// In the order of `known`.
    private var schemes: [String]

    private init(schemes: [String]) { self.schemes = schemes }

    /// Parses the value of `--proto`; unknown schemes are ignored.
    init(_ value: FlagValue) throws(UsageError) {
        schemes = Self.known
        for word in value.text.lowercased().split(separator: ",") {
            let name = word.drop { "+-=".contains($0) }
            guard HTTPSyntax.isToken(String(name)) else {
                throw value.invalid("is not a list of schemes", hint: "as in =https or -all,https")
            }
            let before = schemes
            schemes = Self.known.filter { scheme in
                let isNamed = name == "all" || name == scheme
                return switch word.first {
                case "-": before.contains(scheme) && !isNamed
                case "=": isNamed
                default: before.contains(scheme) || isNamed
                }
            }
        }
    }

    /// Whether a scheme, in lower case, is allowed.
    func allows(_ scheme: String) -> Bool { schemes.contains(scheme) }

    var words: String { schemes.isEmpty ? "none" : schemes.sorted().joined(separator: ", ") }
}

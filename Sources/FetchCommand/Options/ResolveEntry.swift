/// An address given for a host and a port: `--resolve`.
struct ResolveEntry: Equatable, Sendable {
    /// `*` stands for every host.
    let host: String
    let port: Int
    /// IPv4 or IPv6, without brackets.
    let addresses: [String]

    /// Reads curl's `HOST:PORT:ADDRESS[,ADDRESS]…`, with or without brackets around IPv6.
    init(_ value: FlagValue) throws(UsageError) {
        let text = value.text
        guard let (host, afterHost) = Self.host(of: text[...]),
            let (digits, list) = afterHost.split(atFirst: UInt8(ascii: ":")),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65_535).contains(port)
        else {
            throw value.invalid("is not HOST:PORT:ADDRESS", hint: "as in example.com:443:127.0.0.1")
        }
        var addresses: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let address = IPAddress.unbracketed(part)
            guard IPAddress.isIPv4(address) || IPAddress.isIPv6(address) else {
                throw value.invalid("does not end in an IP address")
            }
            addresses.append(address)
        }
        self.host = host
        self.port = port
        self.addresses = addresses
    }

    /// Splits off the host, which may be an IPv6 address in brackets.
    private static func host(of text: Substring) -> (String, Substring)? {
        let start = text.utf8.first == UInt8(ascii: "[") ? text.utf8.firstIndex(of: 0x5d) : nil
        guard let (_, rest) = text[(start ?? text.startIndex)...].split(atFirst: 0x3a) else {
            return nil
        }
        let host = String(text[..<text.utf8.index(before: rest.startIndex)])
        guard host == "*" || HostName.isValid(host) else { return nil }
        return (host, rest)
    }
}

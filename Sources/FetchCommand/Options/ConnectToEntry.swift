/// Another host and port for those of a URL: `--connect-to`.
struct ConnectToEntry: Equatable, Sendable {
    /// libcurl's notation, which is curl's.
    let text: String

    /// Reads `HOST:PORT:TO:PORT`, any of which may be empty; IPv6 addresses stand in brackets.
    init(_ value: FlagValue) throws(UsageError) {
        var fields = [""]
        var isBracketed = false
        for scalar in value.text.unicodeScalars {
            if scalar == "[" { isBracketed = true }
            if scalar == "]" { isBracketed = false }
            if scalar == ":", !isBracketed {
                fields.append("")
            } else {
                fields[fields.count - 1].unicodeScalars.append(scalar)
            }
        }
        func isPort(_ text: String) -> Bool {
            text.isEmpty
                || text.utf8.allSatisfy { (0x30...0x39).contains($0) } && (UInt16(text) ?? 0) > 0
        }
        guard fields.count == 4, isPort(fields[1]), isPort(fields[3]),
            [fields[0], fields[2]].allSatisfy({ $0.isEmpty || HostName.isValid($0) })
        else {
            throw value.invalid(
                "is not HOST:PORT:TO:PORT",
                hint: "as in example.com:443:127.0.0.1:8443"
            )
        }
        text = value.text
    }
}

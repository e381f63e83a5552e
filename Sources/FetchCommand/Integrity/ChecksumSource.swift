/// Where a list of checksums comes from.
enum ChecksumSource: Equatable, Sendable {
    case file(String)
    case standardInput
    /// Of http or https.
    case address(WebAddress)

    /// Reads a flag's value: `-`, a URL with its scheme, or else a path.
    init(_ value: FlagValue) throws(UsageError) {
        let scheme = value.text.prefix(8).lowercased()
        if scheme.hasPrefix("http://") || scheme.hasPrefix("https://") {
            self = .address(try WebAddress(value.text))
        } else {
            let path = try value.path()
            self = path == "-" ? .standardInput : .file(path)
        }
    }

    /// What it is called in messages, without secrets.
    var name: String {
        switch self {
        case .file(let path): Printable.text(path)
        case .standardInput: "standard input"
        case .address(let address): address.redacted
        }
    }
}

import URLLoading

/// A checksum on a command line.
enum ChecksumText {
    /// Functions by their names, in lower case and without hyphens.
    static func algorithm(_ name: some StringProtocol) -> BodyDigest.Algorithm? {
        let plain = name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
        return BodyDigest.Algorithm(rawValue: String(decoding: plain, as: UTF8.self))
    }

    /// The function that makes so many digits of hex.
    static func algorithm(ofDigits count: Int) -> BodyDigest.Algorithm? {
        BodyDigest.Algorithm.allCases.first { $0.length * 2 == count }
    }

    /// Reads `ALGO:HEX`, `ALGO=HEX`, or Subresource Integrity's `ALGO-BASE64`, of which several may
    /// are between blanks; then the strongest function among them counts, and any digest by it.
    ///
    /// Of several, one by an unknown function is ignored, as [Subresource Integrity
    /// §3.3.3](https://www.w3.org/TR/SRI/#parse-metadata) has it.
    static func expected(_ value: FlagValue) throws(UsageError) -> ExpectedDigest {
        var digests: [BodyDigest] = []
        var unknown: Substring?
        for token in value.text.split(whereSeparator: { " \t\n\r".contains($0) }) {
            guard let (name, rest, isHex) = split(token) else {
                throw value.invalid("is not a checksum", hint: form)
            }
            guard let algorithm = algorithm(name) else {
                unknown = name
                continue
            }
            let digest =
                isHex ? BodyDigest(algorithm, hex: rest) : BodyDigest(algorithm, base64: rest)
            guard let digest else {
                let length = isHex ? "\(algorithm.length * 2) digits of hex" : "base64"
                throw value.invalid(
                    "is not a \(algorithm) checksum",
                    hint: "it has \(length)\(isHex ? "" : " of \(algorithm.length) bytes")"
                )
            }
            digests.append(digest)
        }
        if let expected = ExpectedDigest(digests) { return expected }
        guard let unknown else { throw value.invalid("is not a checksum", hint: form) }
        throw value.invalid("has the unknown algorithm '\(unknown)'", hint: form)
    }

    private static let form =
        "write sha256:HEX or sha256-BASE64; the algorithms are "
        + BodyDigest.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")

    /// The function's name, the digest, and whether that is hex.
    ///
    /// A hyphen occurs in `sha-256:…` too, so it is the last choice as a separator. Options after a
    /// question mark, as in Subresource Integrity, are ignored.
    private static func split(_ token: Substring) -> (Substring, Substring, isHex: Bool)? {
        if let place = token.firstIndex(where: { $0 == ":" || $0 == "=" }),
            token[..<place].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
            token[..<place].utf8.count <= 8
        {
            return (token[..<place], token[token.index(after: place)...], true)
        }
        let plain = token.prefix { $0 != "?" }
        guard let hyphen = plain.firstIndex(of: "-"), hyphen > plain.startIndex else { return nil }
        return (plain[..<hyphen], plain[plain.index(after: hyphen)...], false)
    }
}

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

    /// Its name in messages, without secrets.
    var name: String {
        switch self {
        case .file(let path): Printable.text(path)
        case .standardInput: "standard input"
        case .address(let address): address.redacted
        }
    }
}

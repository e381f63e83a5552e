import URLLoading

/// A checksum on a command line.
enum ChecksumText {
    /// The algorithm with a name, which may have hyphens and capital letters.
    static func algorithm(_ name: some StringProtocol) -> BodyDigest.Algorithm? {
        let plain = name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
        return BodyDigest.Algorithm(rawValue: String(decoding: plain, as: UTF8.self))
    }

    static func algorithm(ofDigits count: Int) -> BodyDigest.Algorithm? {
        BodyDigest.Algorithm.allCases.first { $0.length * 2 == count }
    }

    /// Parses `ALGO:HEX`, `ALGO=HEX`, or Subresource Integrity's `ALGO-BASE64`.
    ///
    /// Blanks separate several checksums; only those of the strongest algorithm apply, and any of
    /// them may match. Unknown algorithms are then ignored, as in [Subresource Integrity
    /// §3.3.3](https://www.w3.org/TR/SRI/#parse-metadata).
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

    /// The algorithm's name, the digest, and whether the digest is hexadecimal.
    ///
    /// A hyphen also occurs in `sha-256:…`, so `:` and `=` are tried first as separators. Options
    /// after a question mark, as in Subresource Integrity, are ignored.
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

/// The source of a list of checksums.
enum ChecksumSource: Equatable, Sendable {
    case read(InputPath)
    case address(WebAddress)

    /// Parses a flag's value: `-`, a URL with its scheme, or else a path.
    init(_ value: FlagValue) throws(UsageError) {
        let scheme = value.text.prefix(8).lowercased()
        if scheme.hasPrefix("http://") || scheme.hasPrefix("https://") {
            self = .address(try WebAddress(value.text))
        } else {
            self = .read(try InputPath(value))
        }
    }

    var path: String? { if case .read(let file) = self { file.path } else { nil } }
}

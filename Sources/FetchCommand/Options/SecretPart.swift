/// What of a flag's value nobody else should see.
enum SecretPart: Sendable {
    case none
    /// All of it, unless it only says where the secret is.
    case value
    /// What follows the colon of `NAME:PASSWORD`.
    case userPassword
    /// The user and password of a URL.
    case userInfo
    /// The value of a header line that is a credential.
    case header

    /// The bytes of a value that are secret; `nil` where none are.
    func range(in value: String) -> Range<Int>? {
        let bytes = value.utf8
        func place(_ index: String.Index) -> Int {
            bytes.distance(from: bytes.startIndex, to: index)
        }
        switch self {
        case .none: return nil
        case .value:
            return SecretSource.isLiteral(value) && !value.isEmpty ? 0..<bytes.count : nil
        case .userPassword:
            guard SecretSource.isLiteral(value),
                let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return Self.nonEmpty(place(colon) + 1..<bytes.count)
        case .userInfo:
            let start = URLScanner.schemeEnd(of: value[...])?.upperBound ?? value.startIndex
            let authority = value[start...].utf8.prefix { !"/?#".utf8.contains($0) }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
            return Self.nonEmpty(place(start)..<place(at))
        case .header:
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                Redaction.isSecret(header: String(value[..<colon])),
                value.utf8.first != UInt8(ascii: "@"),
                !HeaderVariables.isUsed(in: value[colon...].dropFirst())
            else { return nil }
            return Self.nonEmpty(place(colon) + 1..<bytes.count)
        }
    }

    private static func nonEmpty(_ range: Range<Int>) -> Range<Int>? {
        range.isEmpty ? nil : range
    }
}

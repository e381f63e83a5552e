/// The server's public key that is demanded: `--pinned-pubkey`.
enum PublicKeyPin: Equatable, Sendable {
    /// SHA-256 of keys in base64, any of which will do.
    case sha256([String])
    /// A file with the key, PEM or DER.
    case file(String)

    /// Reads curl's notation: `sha256//BASE64[;sha256//BASE64]…`, or else a path.
    init(_ value: FlagValue) throws(UsageError) {
        guard value.text.hasPrefix("sha256//") else {
            self = .file(try value.path())
            return
        }
        var hashes: [String] = []
        for part in value.text.split(separator: ";", omittingEmptySubsequences: false) {
            guard part.hasPrefix("sha256//"), Self.isHash(part.dropFirst(8)) else {
                throw value.invalid(
                    "is not a list of hashes",
                    hint: "each is sha256// and 32 bytes in base64"
                )
            }
            hashes.append(String(part.dropFirst(8)))
        }
        self = .sha256(hashes)
    }

    /// libcurl's notation, which is also the command line's.
    var text: String {
        switch self {
        case .sha256(let hashes): hashes.map { "sha256//" + $0 }.joined(separator: ";")
        case .file(let path): path
        }
    }

    /// 32 bytes are 43 characters of base64 and one sign of padding.
    private static func isHash(_ text: Substring) -> Bool {
        guard text.utf8.count == 44, text.utf8.last == UInt8(ascii: "=") else { return false }
        return text.utf8.dropLast().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}

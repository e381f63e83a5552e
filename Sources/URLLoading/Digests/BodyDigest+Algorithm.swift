import CCrypto

extension BodyDigest {
    /// The hash functions that bodies are compared by, the weakest first.
    public enum Algorithm: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Broken: it finds accidents, and no forgery.
        case md5
        /// Broken: it finds accidents, and no forgery.
        case sha1
        case sha256
        case sha384
        case sha512

        /// What it makes, bytes.
        public var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// Whether the one is weaker than the other.
        public static func < (one: Algorithm, other: Algorithm) -> Bool {
            one.length < other.length
        }

        /// OpenSSL's own; a constant of the library, never freed.
        var implementation: OpaquePointer? {
            switch self {
            case .md5: EVP_md5()
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        }
    }
}

extension BodyDigest.Algorithm: CustomStringConvertible {
    /// Its name as command lines have it: `sha256`.
    public var description: String { rawValue }
}

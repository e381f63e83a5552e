import CCrypto

/// The hash functions that HTTP's digests are made with.
package enum DigestFunction: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case sha256 = "SHA-256"
    /// SHA-512 with other beginnings, cut to 256 bits (FIPS 180-4 §5.3.6.2).
    case sha512256 = "SHA-512-256"

    /// OpenSSL's own; a constant of the library, never freed.
    var implementation: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha256: EVP_sha256()
        case .sha512256: EVP_sha512_256()
        }
    }

    /// Whether the library lets it be used: in FIPS mode MD5 is refused.
    var isAvailable: Bool { MessageDigest(self) != nil }
}

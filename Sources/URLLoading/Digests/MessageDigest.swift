import CCrypto

/// A running digest, computed by OpenSSL.
package struct MessageDigest: ~Copyable {
    private let context: OpaquePointer
    private let length: Int

    /// Begins a digest; `nil` where OpenSSL refuses the algorithm (MD5 in FIPS mode).
    package init?(_ function: DigestFunction) {
        self.init(function.implementation)
    }

    /// Begins a digest with an OpenSSL implementation.
    init?(_ implementation: OpaquePointer?) {
        shim_keep_until_exit()
        guard let implementation, let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, implementation, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
        length = Int(EVP_MD_get_size(implementation))
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // Fails only without an initialized context.
        _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isTaken: Void? = bytes.withContiguousStorageIfAvailable {
            self.update(UnsafeRawBufferPointer($0))
        }
        if isTaken == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of all bytes.
    package consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { space, count in
            _ = EVP_DigestFinal_ex(context, space.baseAddress, nil)
            count = length
        }
    }
}

extension MessageDigest {
    /// The digest of bytes in lower-case hex; `nil` where OpenSSL refuses the algorithm.
    package static func hex(_ bytes: some Sequence<UInt8>, by function: DigestFunction) -> String? {
        guard var digest = MessageDigest(function) else { return nil }
        digest.update(bytes)
        return digest.finish().hexText
    }
}

extension BodyDigest.Algorithm {
    /// OpenSSL's implementation; a constant of the library, never freed.
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

extension DigestFunction {
    /// OpenSSL's implementation; a constant of the library, never freed.
    var implementation: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha256: EVP_sha256()
        case .sha512256: EVP_sha512_256()
        }
    }

    /// Whether OpenSSL allows the algorithm: it refuses MD5 in FIPS mode.
    var isAvailable: Bool { MessageDigest(self) != nil }
}

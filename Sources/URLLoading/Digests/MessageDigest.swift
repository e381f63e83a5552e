import CCrypto

/// A digest in the making, by OpenSSL.
package struct MessageDigest: ~Copyable {
    private let context: OpaquePointer
    private let length: Int

    /// Begins; `nil` where the library refuses the function (MD5 in FIPS mode).
    package init?(_ function: DigestFunction) {
        self.init(function.implementation)
    }

    /// Begins with a function of the library's.
    init?(_ implementation: OpaquePointer?) {
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

    /// Takes the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // It fails only where the context was not begun.
        _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Takes the next bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isTaken: Void? = bytes.withContiguousStorageIfAvailable {
            self.update(UnsafeRawBufferPointer($0))
        }
        if isTaken == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of all that was taken.
    package consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { space, count in
            _ = EVP_DigestFinal_ex(context, space.baseAddress, nil)
            count = length
        }
    }
}

extension MessageDigest {
    /// The digest of some bytes in lower-case hex; `nil` where the library refuses the function.
    package static func hex(_ bytes: some Sequence<UInt8>, by function: DigestFunction) -> String? {
        guard var digest = MessageDigest(function) else { return nil }
        digest.update(bytes)
        return hex(digest.finish())
    }

    /// Bytes in lower-case hex.
    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { space in
            for (index, byte) in bytes.enumerated() {
                space[index * 2] = digits[Int(byte >> 4)]
                space[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}

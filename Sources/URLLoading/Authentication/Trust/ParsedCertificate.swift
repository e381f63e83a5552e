import CCrypto
import FoundationEssentials
import Glibc

/// Owns an `X509` of OpenSSL.
struct ParsedCertificate: ~Copyable {
    private let certificate: OpaquePointer

    /// Parses a certificate; `nil` where the data is not one.
    init?(_ der: Data) {
        shim_keep_until_exit()
        let parsed = der.withUnsafeBytes { bytes in
            var start = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        guard let parsed else {
            // Otherwise OpenSSL would report this error for the next connection.
            ERR_clear_error()
            return nil
        }
        certificate = parsed
    }

    deinit {
        X509_free(certificate)
    }

    var subject: String { Self.text(X509_get_subject_name(certificate)) }
    var issuer: String { Self.text(X509_get_issuer_name(certificate)) }
    var notBefore: Date? { Self.date(X509_get0_notBefore(certificate)) }
    var notAfter: Date? { Self.date(X509_get0_notAfter(certificate)) }

    /// The pin of the public key with its algorithm, as in RFC 7469 §2.4.
    var publicKeyPin: String? {
        guard let key = X509_get_X509_PUBKEY(certificate),
            var digest = MessageDigest(.sha256)
        else { return nil }
        let count = Int(i2d_X509_PUBKEY(key, nil))
        guard count > 0 else { return nil }
        digest.update(
            [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
                var end = buffer.baseAddress
                written = Int(max(0, i2d_X509_PUBKEY(key, &end)))
            }
        )
        return "sha256//" + Data(digest.finish()).base64EncodedString()
    }

    /// The alternative names for the comparison with a host.
    var names: [String] {
        guard let list = shim_alternative_names(certificate) else { return [] }
        defer { shim_free_names(list) }
        return (0..<max(0, shim_name_count(list))).compactMap { index -> String? in
            guard let name = shim_name(list, index) else { return nil }
            var kind: Int32 = 0
            guard let value = GENERAL_NAME_get0_value(name, &kind) else { return nil }
            guard kind == GEN_DNS || kind == GEN_IPADD else { return nil }
            let text = UnsafeRawPointer(value).assumingMemoryBound(to: ASN1_STRING.self)
            let bytes = UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(text),
                count: Int(max(0, ASN1_STRING_length(text)))
            )
            return kind == GEN_DNS
                ? String(decoding: bytes, as: UTF8.self) : IPAddress(bytes: Array(bytes))?.text
        }
    }

    private static func text(_ name: OpaquePointer?) -> String {
        guard let name, let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        // Characters are not escaped, except control characters.
        let flags = shim_name_flags
        guard X509_NAME_print_ex(memory, name, 0, flags) >= 0 else { return "" }
        var text: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 10, alignment: 1) { buffer in
            while case let count = BIO_read(memory, buffer.baseAddress, Int32(buffer.count)),
                count > 0
            {
                text += buffer.prefix(Int(count))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }
}

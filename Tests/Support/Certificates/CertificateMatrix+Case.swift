extension CertificateMatrix {
    /// The defects of a server, by OpenSSL's default security level (2).
    public enum Case: String, CaseIterable, Sendable {
        /// No defect: an intermediate authority has issued the certificate, and the server sends both.
        case nothing
        /// The certificate was valid from 2020-01-01 to 2020-02-01.
        case expired
        /// The certificate will be valid from 2049-01-01 on.
        case notYetValid
        /// The certificate is for `wrong.example` alone.
        case wrongHost
        /// The certificate is self-signed.
        case selfSigned
        /// The authority is unknown; the server sends the authority's certificate as well.
        case unknownAuthority
        /// The certificate is for clients, not for servers.
        case wrongUsage
        /// The key is RSA with 1024 bits.
        case weakKey
        /// The certificate is signed with SHA-1.
        case weakSignature
        /// The certificate is revoked, but only `Certificates.revocationList` says so.
        case revoked
        /// An intermediate authority has issued the certificate, and the server does not send the
        /// authority's.
        case missingIntermediate
        /// The issuer is another server's certificate, which is not an authority's.
        case notAnAuthority
        /// The server supports nothing newer than TLS 1.0.
        case onlyTLS10
        /// The server supports nothing newer than TLS 1.1.
        case onlyTLS11
    }
}

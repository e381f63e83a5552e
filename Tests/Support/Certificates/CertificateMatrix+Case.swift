extension CertificateMatrix {
    /// What is wrong with a server, as OpenSSL's default security level (2) sees it.
    public enum Case: String, CaseIterable, Sendable {
        /// Nothing: its certificate is by an intermediate authority, which it sends along.
        case nothing
        /// The certificate was valid from 2020-01-01 to 2020-02-01.
        case expired
        /// The certificate will be valid from 2049-01-01 on.
        case notYetValid
        /// The certificate is for `wrong.example` alone.
        case wrongHost
        /// The certificate is self-signed.
        case selfSigned
        /// The authority is unknown; the server sends its certificate along.
        case unknownAuthority
        /// The certificate is for clients, not for servers.
        case wrongUsage
        /// The key is RSA with 1024 bits.
        case weakKey
        /// The certificate is signed with SHA-1.
        case weakSignature
        /// The certificate is revoked, which only `Certificates.revocationList` says.
        case revoked
        /// The certificate is by an intermediate authority, which the server does not send.
        case missingIntermediate
        /// The certificate is by another server's certificate, which is no authority's.
        case notAnAuthority
        /// It speaks nothing newer than TLS 1.0.
        case onlyTLS10
        /// It speaks nothing newer than TLS 1.1.
        case onlyTLS11
    }
}

/// What a server has shown of itself, and what OpenSSL has against it.
public struct PeerTrust: Sendable, Hashable {
    /// Something that is wrong with a certificate.
    public struct Problem: Sendable, Hashable {
        /// OpenSSL's number, `X509_V_ERR_…`.
        public let number: Int
        /// OpenSSL's words.
        public let words: String
        /// Which certificate of the chain that was tried: 0 is the server's own.
        public let depth: Int
    }

    /// The host that was wanted, as the certificate has to name it.
    public let host: String
    /// The certificates as the server sent them, its own first, each in DER.
    public let chain: [[UInt8]]
    /// All that is wrong, the gravest first; empty where the server is to be trusted.
    public let problems: [Problem]
}

/// What becomes of a server after it has shown its certificates.
public enum TrustDecision: Sendable, Hashable {
    /// What OpenSSL says.
    case byVerdict
    /// It is trusted.
    case accept
    /// It is not.
    case refuse
}

public import FoundationEssentials

/// What a server has shown of itself in the TLS handshake, and what the platform thinks of it.
///
/// In the place of Foundation's `SecTrust`: a value, complete when the delegate gets it.
public struct ServerTrust: Sendable, Hashable {
    /// What the platform makes of a chain.
    public enum Verdict: Sendable, Hashable {
        /// It leads to a trusted authority, and is for this host, now.
        case trusted
        /// It does not.
        case untrusted(Reason)
    }

    /// Why a chain is not trusted.
    public struct Reason: Sendable, Hashable {
        /// What a session fails with by default.
        public let code: URLError.Code
        /// OpenSSL's number for it (`X509_V_ERR_…`).
        public let number: Int
        /// OpenSSL's words for it.
        public let words: String

        /// Names a reason.
        public init(code: URLError.Code, number: Int, words: String) {
            self.code = code
            self.number = number
            self.words = words
        }
    }

    /// The host that was wanted.
    public let host: String
    /// The certificates as the server sent them, its own first, each in DER.
    public let chain: [Data]
    /// What the platform thinks.
    public let verdict: Verdict

    /// Puts together what is known.
    public init(host: String, chain: [Data], verdict: Verdict) {
        self.host = host
        self.chain = chain
        self.verdict = verdict
    }

    /// Whether the platform trusts it.
    public var isTrusted: Bool { verdict == .trusted }
}

public import FoundationEssentials

/// What a server has shown of itself in the TLS handshake, and what the platform thinks of it.
///
/// In the place of Foundation's `SecTrust`: a value, complete when the delegate gets it. What is in
/// the certificates is read when ``certificates`` is asked for.
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
        /// Which certificate it is about: 0 is the server's own, 1 its issuer's.
        public let depth: Int

        /// Names a reason.
        public init(code: URLError.Code, number: Int, words: String, depth: Int = 0) {
            self.code = code
            self.number = number
            self.words = words
            self.depth = depth
        }
    }

    /// The host that was wanted.
    public let host: String
    /// The certificates as the server sent them, its own first, each in DER.
    public let chain: [Data]
    /// All that the platform has against it, the gravest first; empty where it is trusted.
    ///
    /// The platform does not stop at the first: a delegate that overlooks an expired certificate sees
    /// whether an authority is behind it.
    public let reasons: [Reason]

    /// Puts together what is known.
    public init(host: String, chain: [Data], reasons: [Reason]) {
        self.host = host
        self.chain = chain
        self.reasons = reasons
    }

    /// What the platform thinks, with the gravest reason.
    public var verdict: Verdict {
        reasons.first.map(Verdict.untrusted) ?? .trusted
    }

    /// Whether the platform trusts it.
    public var isTrusted: Bool { reasons.isEmpty }

    /// What can be read of the certificates, the server's own first; worked out anew each time.
    public var certificates: [ServerCertificate] {
        var read: [ServerCertificate] = []
        for der in chain {
            // What comes behind one that cannot be read must not be taken for it.
            guard let certificate = ServerCertificate(der) else { break }
            read.append(certificate)
        }
        return read
    }
}

/// What a certificate says ([RFC 5280](https://www.rfc-editor.org/rfc/rfc5280)); whether it is true
/// is another matter.
public struct ServerCertificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: Data
    /// Whose it is, as RFC 4514 writes names: `CN=example.org,O=Example`.
    public let subject: String
    /// The issuer that signed it, in the same way.
    public let issuer: String
    /// The hosts and addresses it is for.
    public let names: [String]
    /// From when on it is valid.
    public let notBefore: Date
    /// Until when it is valid.
    public let notAfter: Date
    /// The pin of its public key: `sha256//` and the hash of the key in base64, as
    /// `transport.trust.pinnedPublicKey` takes it.
    public let publicKeyPin: String

    /// Whether it is in its own name, as an authority's own is.
    public var isSelfIssued: Bool { subject == issuer }

    /// Reads a certificate; `nil` where it is none.
    public init?(_ der: Data) {
        guard let parsed = ParsedCertificate(der), let notBefore = parsed.notBefore,
            let notAfter = parsed.notAfter, let pin = parsed.publicKeyPin
        else { return nil }
        self.der = der
        subject = parsed.subject
        issuer = parsed.issuer
        names = parsed.names
        self.notBefore = notBefore
        self.notAfter = notAfter
        publicKeyPin = pin
    }
}

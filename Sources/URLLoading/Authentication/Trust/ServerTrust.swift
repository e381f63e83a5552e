public import FoundationEssentials

/// The certificates of a server in the TLS handshake, and the platform's verdict.
///
/// The type replaces Foundation's `SecTrust`: a value, complete when the delegate receives it.
/// ``certificates`` parses the certificates on access.
public struct ServerTrust: Codable, Sendable, Hashable {
    /// The platform's verdict on a certificate chain.
    public enum Verdict: Sendable, Hashable {
        /// The chain leads to a trusted authority, and is valid for this host and time.
        case trusted
        /// The chain is not trusted; the value is the most serious reason.
        case untrusted(Reason)
    }

    /// Why a chain is not trusted.
    public struct Reason: Codable, Sendable, Hashable {
        /// The error that the task ends with by default.
        public let code: URLError.Code
        /// OpenSSL's number of the error (`X509_V_ERR_…`).
        public let number: Int
        /// OpenSSL's text of the error.
        public let words: String
        /// The index of the certificate: 0 is the server's own, 1 its issuer's.
        public let depth: Int

        /// Creates a reason.
        public init(code: URLError.Code, number: Int, words: String, depth: Int = 0) {
            self.code = code
            self.number = number
            self.words = words
            self.depth = depth
        }
    }

    /// The host of the request.
    public let host: String
    /// The certificates as the server sent them, the server's first, each in DER.
    public let chain: [Data]
    /// The platform's reasons against the chain, the most serious first; empty where the chain is trusted.
    ///
    /// Verification does not stop at the first reason: a delegate that accepts an expired certificate
    /// can see whether an authority signed it.
    public let reasons: [Reason]

    /// Creates a value from its parts.
    public init(host: String, chain: [Data], reasons: [Reason]) {
        self.host = host
        self.chain = chain
        self.reasons = reasons
    }

    /// The platform's verdict, with the most serious reason.
    public var verdict: Verdict {
        reasons.first.map(Verdict.untrusted) ?? .trusted
    }

    /// Whether the platform trusts the chain.
    public var isTrusted: Bool { reasons.isEmpty }

    /// The parsed certificates, the server's own first; parsed again on each access.
    public var certificates: [ServerCertificate] {
        var read: [ServerCertificate] = []
        for der in chain {
            // Stops at the first malformed certificate, so that indices keep their meaning.
            guard let certificate = ServerCertificate(der) else { break }
            read.append(certificate)
        }
        return read
    }
}

/// The unverified content of a certificate ([RFC 5280](https://www.rfc-editor.org/rfc/rfc5280)).
public struct ServerCertificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: Data
    /// The subject, in the form of RFC 4514: `CN=example.org,O=Example`.
    public let subject: String
    /// The issuer, in the same form.
    public let issuer: String
    /// The hosts and addresses of the certificate.
    public let names: [String]
    /// The beginning of its validity.
    public let notBefore: Date
    /// The end of its validity.
    public let notAfter: Date
    /// The pin of its public key: `sha256//` and the hash of the key in base64, as
    /// `transport.trust.pinnedPublicKey` takes it.
    public let publicKeyPin: String

    /// Whether subject and issuer are the same, as in an authority's own certificate.
    public var isSelfIssued: Bool { subject == issuer }

    /// Parses a certificate; `nil` where the data is not one.
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

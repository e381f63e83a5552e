public import FoundationEssentials

/// What a certificate says ([RFC 5280](https://www.rfc-editor.org/rfc/rfc5280)); whether it is true
/// is another matter.
public struct ServerCertificate: Sendable, Hashable {
    /// The certificate in DER.
    public let der: Data
    /// Whose it is, as RFC 4514 writes names: `CN=example.org,O=Example`.
    public let subject: String
    /// Who signed it, in the same way.
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

/// Whom to trust and what to show; every file named was there and could be read.
struct TLSPlan: Equatable, Sendable {
    /// Nil: the library's default.
    ///
    /// The least is not above the most.
    let min: TLSVersion?
    let max: TLSVersion?
    let caCertificate: String?
    let caDirectory: String?
    let crlFile: String?
    let certificate: String?
    let privateKey: String?
    let certificateType: CertificateType
    let ciphers: String?
    let pinnedPublicKey: PublicKeyPin?
    /// False with `-k`, which deserves a warning.
    let verifiesServer: Bool
}

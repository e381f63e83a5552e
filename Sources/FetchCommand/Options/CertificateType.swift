/// The encoding of a client's certificate and key: libcurl's words for them.
enum CertificateType: String, CaseIterable, Sendable {
    case pem = "PEM"
    case der = "DER"
    case p12 = "P12"
}

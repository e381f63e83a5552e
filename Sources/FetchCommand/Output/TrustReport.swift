import FoundationEssentials
import URLLoading

/// A report on a server's untrusted certificates, in a few lines.
enum TrustReport {
    /// The most certificates of a chain, and names of a certificate, that are shown.
    private static let maximumCertificates = 4
    private static let maximumNames = 5

    /// The certificate chain, its errors, and the flags that would accept only this server.
    static func lines(_ trust: ServerTrust) -> [String] {
        let shown = trust.certificates.prefix(maximumCertificates)
        var lines = shown.enumerated().map { depth, certificate in
            let isLast = depth == shown.count - 1
            let reasons = trust.reasons.filter { $0.depth == depth || isLast && $0.depth > depth }
            let wrong = reasons.map { words($0, certificate, trust.host) }.joined(separator: "; ")
            let place = depth == 0 ? "certificate" : "signed with"
            return "\(place): " + describe(certificate) + (wrong.isEmpty ? "" : ": \(wrong)")
        }
        if let key = shown.first?.publicKeyPin {
            lines.append(
                trust.isTrusted
                    ? "to require this key instead: --pinned-pubkey '\(key)'"
                    : "if this is the server's key, this accepts it and no other:"
                        + " --no-check-certificate --pinned-pubkey '\(key)'"
            )
        }
        if trust.reasons.first?.code == .serverCertificateHasUnknownRoot {
            lines.append("if you trust this server's authority, use --ca-certificate FILE")
        }
        return lines.map(Printable.text)
    }

    private static func describe(_ certificate: ServerCertificate) -> String {
        var names = certificate.names.prefix(maximumNames).joined(separator: ", ")
        let others = certificate.names.count - maximumNames
        if others > 0 { names += " and \(others) more" }
        let issuer = certificate.isSelfIssued ? "itself" : certificate.issuer
        return "\(certificate.subject)\(names.isEmpty ? "" : ", for \(names)"), by \(issuer),"
            + " valid \(day(certificate.notBefore)) to \(day(certificate.notAfter))"
    }

    /// The meaning of OpenSSL's `X509_V_ERR_…` numbers, from `openssl/x509_vfy.h`.
    private static func words(
        _ reason: ServerTrust.Reason,
        _ certificate: ServerCertificate,
        _ host: String
    ) -> String {
        switch reason.number {
        case 9: "it is valid only from \(day(certificate.notBefore)) on"
        case 10: "it has expired on \(day(certificate.notAfter))"
        case 18: "it is self-signed"
        case 19: "this authority is not trusted"
        case 2, 20, 21: "its issuer is not trusted, and the server has not sent it"
        case 23: "it has been revoked"
        case 24, 32, 79: "it may not sign certificates: it is not an authority"
        case 26: "it is not for servers"
        case 62, 64: "it is not for \(host)"
        case 66, 67: "its key is too weak"
        case 68: "it is signed with a hash that is too weak"
        default: reason.words
        }
    }

    /// A day in UTC: `2020-02-01`.
    private static func day(_ date: Date) -> String {
        String(EventMoment(date).timestamp.prefix { $0 != "T" })
    }
}

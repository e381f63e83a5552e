import FoundationEssentials
import SystemPackage
import URLLoading

enum Hints {
    static func hint(for error: URLError) -> String? {
        if let trust = error.failureURLPeerTrust {
            return TrustReport.lines(trust).joined(separator: "\nfetch: ")
        }
        return switch error.code {
        case .secureConnectionFailed where isNotTLS(error.detail):
            error.failingURL.flatMap(plainAddress).map { address in
                "the server does not use TLS there; try \(address)"
            }
        case .requestBodyStreamExhausted where !error.detail.contains("could not be stored"):
            "a pipe can be read only once: raise --spool-limit, or send a file"
        case .appTransportSecurityRequiresSecureConnection:
            "the pin applies only to TLS: fetch the http URL itself, without --pinned-pubkey, if it"
                + " is meant"
        case .httpTooManyRedirects:
            "--max-redirect N allows more; --redirect none shows the first"
        case .cannotLoadFromNetwork:
            "--cache-policy prefer-cache also uses the network"
        case .clientCertificateRequired:
            "use --certificate FILE and --private-key FILE"
        case .cannotDecodeRawData where error.detail.contains("the transfer coding"): nil
        case .cannotDecodeRawData, .cannotDecodeContentData:
            "--no-compressed requests an uncompressed body"
        case .cannotFindHost:
            "check the name and the network"
        case .notConnectedToInternet:
            "--wait-for-connectivity waits for a network"
        case .userAuthenticationRequired where error.detail.contains("CONNECT"):
            "use --proxy-user NAME:PASSWORD"
        default: nil
        }
    }

    /// Whether OpenSSL's message means that the server does not use TLS.
    private static func isNotTLS(_ words: String) -> Bool {
        ["wrong version number", "packet length too long", "http request"]
            .contains(where: words.contains)
    }

    /// The URL with `http`, redacted; `nil` without an explicit port, as no other one is known.
    private static func plainAddress(_ url: URL) -> String? {
        guard url.scheme == "https", url.port != nil else { return nil }
        let shown = Printer.shown(url)
        return shown.hasPrefix("https://") ? "http" + shown.dropFirst("https".utf8.count) : nil
    }
}

extension URLError {
    /// The error with the Unix socket's path; libcurl names the URL's host, which was not tried.
    func naming(socket path: String?) -> URLError {
        guard let path, code == .cannotConnectToHost, let number = failedRequest?.systemError,
            number != 0
        else { return self }
        var error = self
        error.detail = "the socket \(path): \(Errno(rawValue: number))"
        return error
    }
}

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

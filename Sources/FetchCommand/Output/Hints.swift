import FoundationEssentials
import SystemPackage
import URLLoading

/// Suggestions for the user about an error.
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
        case .requestBodyStreamExhausted:
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

    /// The URL with `http`, redacted; `nil` without an explicit port.
    ///
    /// For a server at the default port 443, no plain HTTP port is known.
    private static func plainAddress(_ url: URL) -> String? {
        guard url.scheme == "https", url.port != nil else { return nil }
        let shown = Printer.shown(url)
        return shown.hasPrefix("https://") ? "http" + shown.dropFirst("https".utf8.count) : nil
    }
}

extension URLError {
    /// The same error with the Unix socket's path.
    ///
    /// libcurl's message names the URL's host and port, to which no connection was attempted.
    func naming(socket path: String?) -> URLError {
        guard let path, code == .cannotConnectToHost, let number = failedRequest?.systemError,
            number != 0
        else { return self }
        var error = self
        error.detail = "the socket \(path): \(Errno(rawValue: number))"
        return error
    }
}

import URLLoading

/// What to do about an error, where that is known.
enum Hints {
    static func hint(for error: URLError) -> String? {
        if let trust = error.failureURLPeerTrust {
            return TrustReport.lines(trust).joined(separator: "\nfetch: ")
        }
        return switch error.code {
        case .requestBodyStreamExhausted:
            "a pipe can be read once: --spool-limit SIZE keeps more of it, a file can be sent again"
        case .appTransportSecurityRequiresSecureConnection:
            "the pin holds over TLS alone: fetch the http URL itself, without --pinned-pubkey, if it"
                + " is meant"
        case .httpTooManyRedirects:
            "--max-redirect N allows more, --redirect none shows the first"
        case .cannotLoadFromNetwork:
            "--cache-policy prefer-cache fetches what is not in the cache"
        case .clientCertificateRequired:
            "name it with --certificate FILE and --private-key FILE"
        case .cannotDecodeRawData, .cannotDecodeContentData:
            "--no-compressed neither asks for a coded body nor undoes one"
        case .cannotFindHost:
            "is the name spelled right, and is there a network?"
        case .notConnectedToInternet:
            "--wait-for-connectivity waits until there is one"
        case .userAuthenticationRequired where error.detail.contains("CONNECT"):
            "--proxy-user NAME:PASSWORD says who you are"
        default: nil
        }
    }
}

import CurlMulti
import Glibc

extension URLError {
    /// Converts an engine's failure to Foundation's codes.
    ///
    /// The detail keeps the engine's text, and names the proxy if the proxy caused the failure.
    init(_ failure: TransferFailure, proxy: ProxyServer?) {
        self.init(failure)
        guard let proxy else { return }
        switch failure.reason {
        case .tunnelRefused:
            detail =
                "the proxy \(proxy.url) responded \(Self.words(failure.connectHead)) to CONNECT"
        case .curl(.cannotConnect), .curl(.cannotResolveProxy), .curl(.proxy):
            detail = "the proxy \(proxy.url): \(detail)"
        case .curl(.peerFailedVerification)
        // libcurl refused the proxy's certificate before the server presented its own.
        where proxy.scheme == .https && failure.connectStatus == 0 && failure.trust == nil:
            code = Self.code(ofVerdict: failure.proxyCertificateVerdict)
            detail = "the certificate is the proxy's, \(proxy.url): \(detail)"
        default: break
        }
    }

    private init(_ failure: TransferFailure) {
        switch failure.reason {
        case .cancelled: self.init(.cancelled)
        case .idleTimeout, .timeLimit: self.init(.timedOut, detail: failure.detail)
        case .malformedHead: self.init(.badServerResponse, detail: failure.detail)
        case .handshakeRefused: self.init(.userAuthenticationRequired, detail: failure.detail)
        case .clientCertificateWanted: self.init(.clientCertificateRequired)
        case .stoppedByHandler: self.init(.unknown, detail: failure.detail)
        case .tunnelRefused:
            let isAsked = failure.connectStatus == 407
            let code = isAsked ? Code.userAuthenticationRequired : .cannotConnectToHost
            self.init(code, detail: failure.detail)
        case .curl(let code):
            let own = Self.byWords(code, failure.detail) ?? Self.byNumber(code, failure)
            let isRefused = failure.refusedStatus != nil
            self.init(isRefused ? .cannotConnectToHost : own, detail: failure.detail)
            if code == .peerFailedVerification || code == .pinnedKeyMismatch {
                failureURLPeerTrust = failure.trust.map { ServerTrust($0) }
            }
        }
    }

    /// A status line for the user, with at most 80 characters of the reason phrase.
    private static func words(_ head: ResponseHead?) -> String {
        guard let head else { return "nothing" }
        let reason = head.reason.isEmpty ? HTTPStatus.phrase(head.status) : head.reason
        return "\(head.status) \(reason.prefix(80))"
    }

    /// libcurl uses one code for a dropped connection and for broken framing; only its text differs.
    private static func byWords(_ code: CurlCode, _ words: String) -> Code? {
        switch code {
        case .receiveError where words.lowercased().contains("chunk"): .badServerResponse
        // A malformed trailer field.
        case .badFunctionArgument where words.contains("chunked-encoded"): .badServerResponse
        case .tlsConnectError
        where ["SSL_ERROR_SYSCALL", "unexpected eof", "reset by peer", "Broken pipe"]
            .contains(where: words.contains):
            .networkConnectionLost
        case .proxy
        where ["User was rejected", "No authentication method"].contains(where: words.contains):
            .userAuthenticationRequired
        // Alerts of the server; TLS 1.3 sends them only after the handshake.
        case .receiveError where words.contains("certificate required"): .clientCertificateRequired
        case .receiveError where refusesCertificate(words),
            // To a client without a certificate, some servers send `bad certificate` over TLS 1.2.
            .tlsConnectError where refusesCertificate(words) && !words.contains("bad certificate"):
            .clientCertificateRejected
        default: nil
        }
    }

    private static func refusesCertificate(_ words: String) -> Bool {
        words.contains("alert")
            && ["certificate", "unknown ca", "access denied"].contains(where: words.contains)
    }

    private static func byNumber(_ code: CurlCode, _ failure: TransferFailure) -> Code {
        switch code {
        case .malformedURL: .badURL
        case .cannotResolveHost, .cannotResolveProxy:
            failure.hasNoPath ? .notConnectedToInternet : .cannotFindHost
        // An unreachable single host does not mean that the network is missing.
        case .cannotConnect
        where failure.hasNoPath && CInt(clamping: failure.systemError) != EHOSTUNREACH:
            .notConnectedToInternet
        case .cannotConnect, .interfaceFailed, .proxy: .cannotConnectToHost
        case .timedOut: .timedOut
        // `http2` is all that libcurl 7.88 reports for a connection that a GOAWAY has ended.
        case .partialFile, .emptyReply, .sendError, .receiveError, .http2Stream, .http2:
            .networkConnectionLost
        case .weirdServerReply, .unsupportedProtocol: .badServerResponse
        case .badContentEncoding: .cannotDecodeContentData
        case .sendFailedRewind: .requestBodyStreamExhausted
        case .clientCertificateProblem: .clientCertificateRejected
        case .clientCertificateRequired: .clientCertificateRequired
        case .peerFailedVerification: Self.code(ofVerdict: failure.certificateVerdict)
        case .pinnedKeyMismatch, .issuerError, .invalidCertificateStatus:
            .serverCertificateUntrusted
        case .tlsConnectError, .tlsEngineNotFound, .tlsCipher, .tlsShutdownFailed,
            .caCertificateBadFile, .crlBadFile:
            .secureConnectionFailed
        case .abortedByCallback, .writeError, .readError: .cancelled
        case .outOfMemory, .failedInit: .resourceUnavailable
        default: .unknown
        }
    }

    /// OpenSSL's `X509_V_ERR_…` numbers, from `openssl/x509_vfy.h`.
    static func code(ofVerdict verdict: Int) -> Code {
        switch verdict {
        case 9: .serverCertificateNotYetValid
        case 10: .serverCertificateHasBadDate
        case 2, 19, 20, 21: .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
    }
}

extension TransferFailure {
    /// The status with which a proxy refused a tunnel.
    var refusedStatus: Int? {
        connectStatus == 0 || (200..<300).contains(connectStatus) ? nil : connectStatus
    }
}

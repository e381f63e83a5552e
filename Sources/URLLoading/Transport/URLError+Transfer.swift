import CurlMulti
import Glibc

extension URLError {
    /// What the engine's failure is in Foundation's codes; the detail keeps the engine's words.
    init(_ failure: TransferFailure) {
        switch failure.reason {
        case .cancelled: self.init(.cancelled)
        case .idleTimeout, .timeLimit: self.init(.timedOut, detail: failure.detail)
        case .malformedHead: self.init(.badServerResponse, detail: failure.detail)
        case .stoppedByHandler: self.init(.unknown, detail: failure.detail)
        case .curl(let code):
            self.init(
                Self.byConnectStatus(failure) ?? Self.byWords(code, failure.detail)
                    ?? Self.byNumber(code, failure),
                detail: failure.detail
            )
        }
    }

    /// A proxy that would not open a tunnel.
    private static func byConnectStatus(_ failure: TransferFailure) -> Code? {
        switch failure.connectStatus {
        case 0, 200..<300: nil
        case 407: .userAuthenticationRequired
        default: .cannotConnectToHost
        }
    }

    /// libcurl has one number for a dropped connection and for broken framing; its words differ.
    private static func byWords(_ code: CurlCode, _ words: String) -> Code? {
        switch code {
        case .receiveError where words.lowercased().contains("chunk"): .badServerResponse
        case .tlsConnectError
        where ["SSL_ERROR_SYSCALL", "unexpected eof", "reset by peer", "Broken pipe"]
            .contains(where: words.contains):
            .networkConnectionLost
        default: nil
        }
    }

    private static func byNumber(_ code: CurlCode, _ failure: TransferFailure) -> Code {
        switch code {
        case .malformedURL: .badURL
        case .cannotResolveHost, .cannotResolveProxy: .cannotFindHost
        case .cannotConnect where CInt(failure.systemError) == ENETUNREACH:
            .notConnectedToInternet
        case .cannotConnect, .interfaceFailed, .proxy: .cannotConnectToHost
        case .timedOut: .timedOut
        case .partialFile, .emptyReply, .sendError, .receiveError, .http2Stream:
            .networkConnectionLost
        case .weirdServerReply, .unsupportedProtocol, .http2: .badServerResponse
        case .badContentEncoding: .cannotDecodeContentData
        case .sendFailedRewind: .requestBodyStreamExhausted
        case .clientCertificateProblem: .clientCertificateRejected
        case .clientCertificateRequired: .clientCertificateRequired
        case .peerFailedVerification: byVerdict(failure.certificateVerdict)
        case .pinnedKeyMismatch, .issuerError, .invalidCertificateStatus:
            .serverCertificateUntrusted
        case .tlsConnectError, .tlsEngineNotFound, .tlsCipher, .tlsShutdownFailed,
            .caCertificateBadFile, .crlBadFile:
            .secureConnectionFailed
        case .abortedByCallback, .writeError, .readError: .cancelled
        default: .unknown
        }
    }

    /// OpenSSL's `X509_V_ERR_…` numbers, from `openssl/x509_vfy.h`.
    private static func byVerdict(_ verdict: Int) -> Code {
        switch verdict {
        case 9: .serverCertificateNotYetValid
        case 10: .serverCertificateHasBadDate
        case 2, 19, 20, 21: .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
    }
}

import CCurl
package import HTTPSemantics
import SystemPackage

/// The result of a transfer, and its metrics.
package struct TransferOutcome: Sendable {
    /// The failure; `nil` if the response is complete.
    package var failure: TransferFailure?
    /// The metrics up to the end; `nil` unless ``TransferRequest/collectsMetrics`` is set.
    package var metrics: HopMetrics?
    /// The bytes of the request's body that libcurl sent.
    package var requestBodyBytes: Int64 = 0
    /// The received heads and trailers after the last head that the handler received, byte for byte, if
    /// ``TransferRequest/recordsHeads`` is set.
    package var restOfHeads: [UInt8] = []
    /// The fields after the body, if the head has announced any (`Trailer`).
    package var trailers: [HTTPHeaderFields.Field] = []
    /// Whether the server may have acted on the request.
    ///
    /// It is `false` only if that is impossible: libcurl has sent no byte of it, or the server has
    /// refused its stream.
    package var mayHaveReachedServer: Bool
    /// Whether the server stopped the request's body over HTTP/2 without an error, after a complete response
    /// ([RFC 9113 §8.1](https://www.rfc-editor.org/rfc/rfc9113#section-8.1)).
    package var serverStoppedBody = false

    /// Makes an outcome.
    package init(failure: TransferFailure?, mayHaveReachedServer: Bool = true) {
        self.failure = failure
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}

/// The reason why a transfer ended before its response was complete.
package struct TransferFailure: Sendable, Error {
    /// The kind of the failure.
    package var reason: Reason
    /// The text for this failure, libcurl's own or ours.
    package var detail: String
    /// OpenSSL's verdict on the server's certificate, an `X509_V_ERR_…` number.
    ///
    /// 0 if OpenSSL found no problem, or has not verified it.
    package var certificateVerdict = 0
    /// The server's certificates and their problems; `nil` if OpenSSL has not verified them.
    package var trust: PeerTrust?
    /// The kernel's `errno` of a failed connection; 0 if there is none.
    package var systemError = 0
    /// Whether we have sent nothing because this machine has no route to the host or proxy.
    ///
    /// It has no route, no source address, or no link.
    package var hasNoPath = false
    /// OpenSSL's verdict on the certificate of a proxy over TLS, like ``certificateVerdict``.
    package var proxyCertificateVerdict = 0
    /// The status of a proxy's response to CONNECT; 0 if there was none.
    package var connectStatus = 0
    /// The head of a proxy's response to CONNECT that refused the tunnel.
    package var connectHead: ResponseHead?

    /// The kinds of failure.
    package enum Reason: Sendable, Hashable {
        /// libcurl reported an error.
        case curl(CurlCode)
        /// The network was silent for longer than the request allows.
        case idleTimeout
        /// The transfer took longer than the request allows.
        case timeLimit
        /// The caller cancelled the transfer.
        case cancelled
        /// The head of the response is not HTTP, or is too long.
        case malformedHead
        /// The server refused the handshake that authenticates the connection again and again.
        case handshakeRefused
        /// The proxy refused the tunnel: see ``TransferFailure/connectHead``.
        case tunnelRefused
        /// The server demands a client certificate from one of these issuers, each a name in DER.
        ///
        /// The list is empty if the server accepts any issuer.
        case clientCertificateWanted(issuers: [[UInt8]])
        /// A callback of its handler stopped the transfer; the handler knows the reason.
        case stoppedByHandler
    }

    /// Makes a failure.
    package init(_ reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension Transfer {
    /// Converts libcurl's result, or our own, to a failure.
    func failure(_ code: CurlCode) -> TransferFailure? {
        if let stopReason { return stopReason }
        noteStoppedBody(code)
        guard code != .ok, !body.wasStopped else {
            if let missing {
                let words = "transfer closed with \(missing) bytes remaining to read"
                return TransferFailure(.curl(.partialFile), detail: words)
            }
            guard mayBeCutShort else { return nil }
            let words = "the connection ended without a TLS close: the body may be incomplete"
            return TransferFailure(.curl(.partialFile), detail: words)
        }
        // libcurl reports this for a line above 100 KiB; after a real lack of memory, our process would
        // have ended.
        if code == .outOfMemory {
            return TransferFailure(.malformedHead, detail: "a header line is longer than 100 KiB")
        }
        // libcurl reports this for a line that continues a head's first line, or a trailer.
        if code == .badFunctionArgument, connection.isNew || connection.hasSentRequest {
            let words = slot.errorText ?? "the response's header begins with a blank"
            return TransferFailure(.malformedHead, detail: words)
        }
        var failure = TransferFailure(.curl(code), detail: slot.errorText ?? code.description)
        if code == .cannotConnect, connection.socketError != 0 {
            failure.detail = "no socket: \(Errno(rawValue: connection.socketError))"
        }
        failure.certificateVerdict = slot.handle.long(CURLINFO_SSL_VERIFYRESULT)
        failure.trust = tls.trust
        failure.systemError = slot.handle.long(CURLINFO_OS_ERRNO)
        failure.hasNoPath = hasNoPath(code, failure.systemError)
        failure.proxyCertificateVerdict = slot.handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
        failure.connectStatus = slot.handle.long(CURLINFO_HTTP_CONNECTCODE)
        failure.connectHead = connection.connectResponse.refusal
        if failure.connectHead != nil { failure.reason = .tunnelRefused }
        return failure
    }

    /// Notes that an HTTP/2 stream ended with NO_ERROR before the whole request's body was sent.
    ///
    /// libcurl then fails to send more of the body, and writes no error text. It does not report
    /// whether END_STREAM came before. A server that resets a stream in the middle of its response
    /// sends an error code.
    private func noteStoppedBody(_ code: CurlCode) {
        guard code == .http2Stream, slot.errorText == nil, request.body != .none,
            response.knownStatus != nil
        else { return }
        body.wasStopped = true
    }

    /// The number of missing bytes of a response's body, if libcurl has ignored its length.
    private var missing: Int64? {
        guard request.body != .none, let length = response.streamLength else { return nil }
        let missing = length - slot.handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        return missing > 0 ? missing : nil
    }
}

import CCurl
public import HTTPSemantics
import SystemPackage

/// How a transfer ended, and what it cost.
public struct TransferOutcome: Sendable {
    /// What went wrong; `nil`: the response came whole.
    public var failure: TransferFailure?
    /// What it cost until then.
    public var metrics: TransferMetrics
    /// The fields that came behind the body, where the head has announced any (`Trailer`).
    public var trailers: [HTTPHeaderFields.Field] = []
    /// Whether the server may have acted on the request; `false` only where that is certain: no byte
    /// of it has left, or the server has refused its stream.
    public var mayHaveReachedServer: Bool
    /// Whether the server, with its response whole, has ended the request's body over HTTP/2 without
    /// an error ([RFC 9113 §8.1](https://www.rfc-editor.org/rfc/rfc9113#section-8.1)).
    public var serverStoppedBody = false

    /// Makes an outcome.
    public init(
        failure: TransferFailure?,
        metrics: TransferMetrics,
        mayHaveReachedServer: Bool = true
    ) {
        self.failure = failure
        self.metrics = metrics
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}

/// Why a transfer ended before its response was whole.
public struct TransferFailure: Sendable, Error {
    /// What it was.
    public var reason: Reason
    /// libcurl's own words for this one case, or ours.
    public var detail: String
    /// OpenSSL's verdict on the server's certificate, an `X509_V_ERR_…` number; 0 where it had
    /// nothing against it, or did not get so far.
    public var certificateVerdict = 0
    /// What the server has shown of itself; `nil` where it was not verified, or did not get so far.
    public var trust: PeerTrust?
    /// The kernel's `errno` of a connection that failed; 0 where it has none.
    public var systemError = 0
    /// Whether nothing has left since this machine has no way to where it was to go: no route, no
    /// address to come from, no link.
    public var lacksNetwork = false
    /// OpenSSL's verdict on the certificate of a proxy over TLS, as ``certificateVerdict``.
    public var proxyCertificateVerdict = 0
    /// The status of a proxy's response to CONNECT; 0 where there was none.
    public var connectStatus = 0
    /// The head of a proxy's response to CONNECT that opened no tunnel.
    public var connectHead: ResponseHead?

    /// The kinds of end.
    public enum Reason: Sendable, Hashable {
        /// libcurl gave up.
        case curl(CurlCode)
        /// The network was silent for longer than the request allows.
        case idleTimeout
        /// It took longer than the request allows.
        case timeLimit
        /// The caller cancelled it.
        case cancelled
        /// The head of the response is not HTTP, or has no end.
        case malformedHead
        /// The proxy opened no tunnel: see ``TransferFailure/connectHead``.
        case tunnelRefused
        /// The server wants a client certificate, by one of these issuers, each a name in DER; none
        /// are named where any will do.
        case clientCertificateWanted(issuers: [[UInt8]])
        /// A callback of its handler stopped it; the handler knows why.
        case stoppedByHandler
    }

    /// Makes a failure.
    public init(_ reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension Transfer {
    /// What libcurl's verdict, or our own, comes to.
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
        // libcurl's verdict on a line above its 100 KiB; truly without memory we would not be here.
        if code == .outOfMemory {
            return TransferFailure(.malformedHead, detail: "a header line is longer than 100 KiB")
        }
        // libcurl's verdict on a line that goes on with a head's first one, or with a trailer.
        if code == .badFunctionArgument, connection.isNew || connection.hasSentRequest {
            return TransferFailure(
                .malformedHead,
                detail: slot.errorText ?? "the response's header begins with a blank"
            )
        }
        var failure = TransferFailure(.curl(code), detail: slot.errorText ?? code.description)
        if code == .cannotConnect, connection.socketError != 0 {
            failure.detail = "no socket: \(Errno(rawValue: connection.socketError))"
        }
        failure.certificateVerdict = slot.handle.long(CURLINFO_SSL_VERIFYRESULT)
        failure.trust = tls.trust
        failure.systemError = slot.handle.long(CURLINFO_OS_ERRNO)
        failure.lacksNetwork = lacksNetwork(code, failure.systemError)
        failure.proxyCertificateVerdict = slot.handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
        failure.connectStatus = slot.handle.long(CURLINFO_HTTP_CONNECTCODE)
        failure.connectHead = connection.connectResponse.refusal
        if failure.connectHead != nil { failure.reason = .tunnelRefused }
        return failure
    }

    /// Where libcurl fails without a word to send more of a body, the stream has ended with NO_ERROR.
    ///
    /// Whether END_STREAM came before, it does not tell. A server that resets a stream in the middle of
    /// its response gives an error code.
    private func noteStoppedBody(_ code: CurlCode) {
        guard code == .http2Stream, slot.errorText == nil, request.body != .none,
            response.knownStatus != nil
        else { return }
        body.wasStopped = true
    }

    /// How much of a response's length has not come, where libcurl was told to ignore that.
    private var missing: Int64? {
        guard request.body != .none, let length = response.streamLength else { return nil }
        let missing = length - slot.handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        return missing > 0 ? missing : nil
    }
}

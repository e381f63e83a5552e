/// Why a transfer ended before its answer was whole.
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
    /// The status with which a proxy answered CONNECT; 0 where it was not asked.
    public var connectStatus = 0
    /// The head of a proxy's answer to CONNECT that opened no tunnel.
    public var connectHead: ResponseHead?

    /// The kinds of end.
    public enum Reason: Sendable, Hashable {
        /// libcurl gave up.
        case curl(CurlCode)
        /// The network was silent for longer than the request allows.
        case idleTimeout
        /// It took longer than the request allows.
        case timeLimit
        /// Somebody cancelled it.
        case cancelled
        /// The head of the answer is not HTTP, or has no end.
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

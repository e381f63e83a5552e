import CurlMulti
import FoundationEssentials

/// One request, ready to send.
struct HopRequest: Sendable {
    var request: PreparedRequest
    /// The proxy to use; `nil`: none.
    var proxy: ProxyServer?
    var body: (any HTTPBodyStream)?
    /// Authentication of the connection to the server (NTLM or Negotiate).
    var authentication: ConnectionAuthentication?
    /// Authentication of the connection to the proxy.
    var proxyAuthentication: ConnectionAuthentication?
    /// Whether a large body waits for `100 Continue`.
    var mayExpectContinue = false
    /// Whether the hop can read the body again after a connection failed.
    var bodyIsReplayable: Bool
    var idleTimeout: Duration?
    /// The rest of the task's time limit.
    var timeLimit: Duration?
    /// The address family of the server.
    var family = URLSessionConfiguration.AddressFamily.any
    /// 0 to 1.
    var priority: Float
    /// How the response is to be handled.
    var responseContext: ResponseContext
    /// Whether the hop asks its client about the server's trust.
    var asksAboutServer = false
    /// The client certificate for this hop.
    var identity = HopIdentity.none

    var readsCookies = false

    /// Whether the request goes to the origin of the task's first request.
    var isFirstOrigin = true

    /// Whether to bypass cached name look-ups, because no network was available at the last attempt.
    var bypassesDNSCache = false

    /// Whether to collect metrics for a delegate.
    var collectsMetrics = false

    /// The number of the transport's loop, from 0.
    ///
    /// Loops above 0 are for hops that keep a core busy. A hop that may wait for a ticket uses another loop.
    var lane = 0
    /// Whether the hop needs its own connection, and therefore HTTP/1.
    var isAlone = false

    /// Whether the hop may need a Kerberos ticket.
    var negotiates: Bool {
        authentication?.method == .negotiate || proxyAuthentication?.method == .negotiate
    }
}

/// How to handle a response; known before it arrives.
struct ResponseContext: Sendable {
    var method = "GET"
    /// The most bytes of the body; `nil`: no limit.
    var limit: Int64?
    /// Whether to decode content codings.
    var decodesContent = false
    /// Whether to leave transfer codings undecoded, except in a range.
    var isRaw = false
    /// Whether the client reads a delivered body directly from libcurl's buffer.
    var readsInPlace = false
    /// Whether to split a `multipart/x-mixed-replace` body.
    var splitsParts = false
    /// The task's first request, if its response can be continued as a file.
    var continuable: URLRequest?
    /// Whether to compare the body with the digests that the server sends.
    var checksDigestFields = false
    /// Whether a continued file with a wrong digest is downloaded again.
    var startsOverOnDigestMismatch = true
    /// Whether resume data contains a checksum of the file's bytes.
    var keepsChecksums = false
    /// Brings parts of the body over further connections; `nil`: one stream.
    var split: SplitDownload?
}

/// The client certificate for a hop, if the session has none for all hops.
enum HopIdentity: Sendable, Hashable {
    /// Undecided: the hop ends, and reports the accepted issuers.
    case undecided
    /// No certificate.
    case none
    /// This certificate.
    case certificate(URLSessionConfiguration.ClientCertificate, keyPassword: Secret?)
}

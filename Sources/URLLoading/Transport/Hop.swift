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
    var proxyAuthentication: ConnectionAuthentication?
    /// Whether a large body waits for `100 Continue`.
    var mayExpectContinue = false
    /// Whether the hop can read the body again after a connection failed.
    var bodyIsReplayable: Bool
    var idleTimeout: Duration?
    /// The rest of the task's time limit.
    var timeLimit: Duration?
    var family = URLSessionConfiguration.AddressFamily.any
    /// 0 to 1.
    var priority: Float
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
    /// Whether the task waits for a network, so that a slow name server is waited for.
    var waitsForNetwork = false
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
    case none
    case certificate(URLSessionConfiguration.ClientCertificate, keyPassword: Secret?)
}

/// The head of a hop's response.
struct HopHead: Sendable {
    var status: Int
    var httpVersion: String
    var reason: String
    var fields: HTTPHeaderFields
    /// The cookies that the response sets, as lines of a cookie file, if the hop's request wants them.
    var cookies: [String] = []
    /// Whether the hop decodes content codings, so that the delivered length is not the stated one.
    var isDecoded = false
    /// Whether the delivered body contains its transfer framing, such as chunk sizes.
    var keepsFraming = false
    /// The received bytes up to the end of the head, if heads are recorded.
    var raw: Data?
    /// The age of a stored response that was not validated, seconds; `nil`: the server sent or
    /// confirmed the response.
    var storedAge: Int?

    /// Whether the stated length is that of the delivered body.
    var hasLength: Bool { !isDecoded && fields["Transfer-Encoding"] == nil }

    /// The content codings of a complete body.
    ///
    /// We cannot decode a partial response (206), because it may begin in the middle of the coded data.
    func codings(_ method: String) -> ContentCodings? {
        guard status != 206, bodyLength(method) != 0 else { return nil }
        return ContentCodings(fields)
    }

    /// The head in HTTP/1.1 form, with its empty line.
    var text: String {
        let lines = fields.fields.map { "\($0.name): \($0.value)\r\n" }
        return "\(httpVersion) \(status) \(reason)\r\n" + lines.joined() + "\r\n"
    }

    /// The length of the response's body, bytes; `nil` where it is unknown
    /// ([RFC 9112 §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func bodyLength(_ method: String) -> Int64? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        guard fields["Transfer-Encoding"] == nil else { return nil }
        return fields.contentLength
    }

    /// Whether the body ends with the connection ([RFC 9112
    /// §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func endsWithConnection(_ method: String) -> Bool {
        guard httpVersion.startsWithBytes(of: "HTTP/1"), bodyLength(method) == nil else {
            return false
        }
        return fields["Transfer-Encoding"].map {
            !$0.asciiLowercased.endsWithBytes(of: "chunked")
        } ?? true
    }
}

// Unchecked: the hop that makes an end changes it only before it reports it. A split download changes that of
// its first stream under its own lock, and a task changes an end under the task's lock.
/// How a hop ended; a class, because many functions pass it on.
final class HopEnd: @unchecked Sendable {
    /// The error; `nil`: the response is complete.
    var error: URLError?
    /// Whether there is an error; a comparison with `nil` would copy it.
    var hasFailed: Bool { if case .some = error { true } else { false } }
    /// The body, if it was collected in memory.
    var collected: Data?
    /// The download that received the body, complete or not.
    var download: Download?
    /// The recorder of a response that the cache may store.
    var recorder: CacheRecorder?
    /// The response of a proxy that refused a tunnel; the request has not reached the server.
    var proxyHead: HTTPURLResponse?
    /// The partial file cannot be continued; the task must start over.
    var startOver: DownloadStartOver?
    /// Several streams failed; the task must not split again.
    var forbidsSplitting = false
    /// The issuers of client certificates that the server accepts, each a DER name; empty: any.
    ///
    /// The delegate has not decided about a certificate, and the hop sent no request.
    var wantedIssuers: [Data]?
    /// Whether the hop has read no byte of the request's body, which is then still whole.
    var leavesBody = false
    /// The reason why the hop sent no request, if it had no network.
    var absence: NetworkAbsence?
    /// The metrics; `nil` if no delegate receives them, or the hop used no network.
    var metrics: HopMetrics?
    /// Heads and trailers after the response's head, if heads are recorded.
    var restOfHeads: Data?
    /// The trailer fields, if the head announced any.
    var trailers: HTTPHeaderFields?
    var digestFindings: [DigestFinding] = []
    /// The background session's event that reports this end.
    var event: URLSession.BackgroundEvent?

    init(error: URLError? = nil) { self.error = error }
}

public import FoundationEssentials
import Synchronization

// Options that Foundation's configuration does not have.
extension URLSessionConfiguration {
    /// The options for connections, and the servers that they trust.
    public var transport: TransportOptions {
        get { locked.withLock { $0.transport } }
        set { locked.withLock { $0.transport = newValue } }
    }

    /// The lowest rate of a transfer, and the time that it may stay below it.
    package struct MinimumRate: Codable, Equatable, Sendable {
        package var bytesPerSecond: Int64
        /// The library uses whole seconds, at least 1.
        package var time: Duration

        package init(bytesPerSecond: Int64, time: Duration) {
            self.bytesPerSecond = bytesPerSecond
            self.time = time
        }
    }

    /// Options of connections and server trust, beyond Foundation's properties.
    public struct TransportOptions: Sendable {
        /// The versions of HTTP that a task may use.
        ///
        /// Default: HTTP/2 where TLS negotiates it.
        public var httpVersion = HTTPVersion.automatic
        /// The time limit for name look-up, connecting and the TLS handshake together, seconds.
        ///
        /// `nil`: the idle time-out.
        public var connectTimeout: TimeInterval?
        /// The kind of address that a task may use.
        public var addressFamily = AddressFamily.any
        /// The interface, address or host name to connect from.
        public var interface: String?
        /// Addresses that replace look-ups, each `host:port:address[,address]`.
        public var resolve: [String] = []
        /// Hosts and ports to connect to instead of a URL's, each `host:port:to:port`, as in
        /// CURLOPT_CONNECT_TO(3).
        public var connectTo: [String] = []
        /// A Unix socket to connect to instead of the URL's host; then the session uses no proxy.
        public var unixSocketPath: String?
        /// The proxy.
        ///
        /// Default: ``URLSessionConfiguration/connectionProxyDictionary``, or the environment where
        /// that is `nil`. Any other value replaces the dictionary.
        public var proxy = Proxy.automatic
        /// The hosts to reach without the proxy, in the format of `no_proxy`, `*` for all; `nil`: the
        /// dictionary's `ExceptionsList`, or `no_proxy` where there is no dictionary.
        public var noProxy: String?
        /// The user and password for the proxy, instead of those in its URL; `nil`: the URL's.
        ///
        /// An HTTP proxy receives them after its challenge, a SOCKS proxy at once. The session ignores a
        /// credential of another kind.
        public var proxyCredential: URLCredential?
        /// Whether to ask an HTTP proxy for a tunnel (`CONNECT`) for plain HTTP too, so that the proxy
        /// forwards requests unchanged.
        ///
        /// HTTPS always uses a tunnel. If the proxy refuses, the task fails with the same error as for
        /// HTTPS. Default: `false`. Not in Foundation.
        public var tunnelsThroughProxy = false
        /// The most bytes per second that all tasks of the session may receive, and send; 0: no limit.
        public var maximumBytesPerSecond: Int64 = 0
        /// The rate below which a transfer counts as silent; `nil`: none.
        package var minimumRate: MinimumRate?
        /// The most streams of a download, each over its own connection: the first response, and
        /// further ranges of the same file.
        ///
        /// Limited by ``URLSessionConfiguration/httpMaximumConnectionsPerHost``. A task uses several streams
        /// only if the response to a plain GET is a 200 that states the file's length. The response must
        /// also announce ranges (`Accept-Ranges: bytes`), and have a validator (a strong `ETag`, or a
        /// settled `Last-Modified`). The task requests each range with that validator, and checks the
        /// response before it writes the first byte. If the server refuses, or sends other bytes, the task
        /// uses fewer streams, down to the first. If the first response came over HTTP/2, where streams
        /// would share one connection, the task requests ranges over HTTP/1.1. With TLS it uses several
        /// threads. Default: 1.
        public var maximumStreamsPerDownload: Int {
            get { streamLimit }
            set { streamLimit = max(1, newValue) }
        }
        private var streamLimit = 1
        /// The time at which a task writes the file of a finished download to the disk.
        ///
        /// A program that moves the file is responsible for the new folder. Default: `.group`. Not in
        /// Foundation.
        public var fileSynchronization = FileSynchronization.group
        /// The largest body of a response, bytes; `nil`: no limit.
        ///
        /// If the stated length exceeds it, the task reads no byte and creates no file. Else the task fails
        /// after it has delivered this many bytes, when more arrive. The error is
        /// `dataLengthExceedsMaximum`. A download keeps only the bytes of earlier tasks. In a continued file
        /// the complete file counts.
        public var maximumBodyBytes: Int64?
        /// Whether tasks compare bodies with the server's `Content-Digest` and `Repr-Digest` ([RFC
        /// 9530](https://www.rfc-editor.org/rfc/rfc9530)), by SHA-256 or SHA-512.
        ///
        /// On a mismatch the task fails with `bodyDigestMismatch`. Default: `true`.
        public var checksDigestFields = true
        /// The servers that TLS trusts.
        public var trust = ServerTrust()
        /// Whether the session uses only TLS for hosts that have demanded TLS (HSTS).
        public var strictTransportSecurity = StrictTransportSecurity.automatic
        /// The cipher suites of TLS 1.2 and earlier, in OpenSSL's format.
        public var ciphers: String?
        /// The certificate for servers that request one; `nil`: the session asks the delegate.
        public var clientCertificate: ClientCertificate?
        var clientKeySecret: Secret?
        /// The pass phrase of the certificate's key; `nil`: none.
        public var clientKeyPassword: String? {
            get { clientKeySecret?.text }
            set { clientKeySecret = newValue.map(Secret.init) }
        }
        /// The redirects a task follows before it fails with `httpTooManyRedirects`.
        ///
        /// Default: 20.
        public var maximumRedirects = 20
        /// Whether a task delivers a redirect to a URL that is not HTTP as the response; if `false`, it
        /// fails.
        ///
        /// Default: `false`.
        package var deliversNonHTTPRedirects = false
        /// The statuses among 301, 302 and 303 after which a POST remains a POST, with its body.
        ///
        /// After the others it becomes a GET without a body, as in browsers.
        ///
        /// Default: empty. Not in Foundation.
        public var redirectsKeepingPost: Set<Int> = []
        /// Whether `/./` and `/../` remain in the paths of URLs and redirects, so that the server
        /// resolves them ([RFC 3986 §5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4)).
        ///
        /// Cookies and credentials always use the resolved path; in the cache both forms are different
        /// URLs. Default: `false`. Not in Foundation.
        public var keepsDotSegments = false
        /// Whether servers are likely to send a challenge.
        ///
        /// If `true`, a body above 1 MiB, or of unknown length, waits up to a second for the server's
        /// `100 Continue` (`Expect: 100-continue`).
        ///
        /// Such a body always waits where the URL has a user. Default: `false`.
        public var expectsChallenges = false
        /// Which servers receive a Kerberos ticket after a Negotiate challenge.
        public var ticketUse = TicketUse()
        /// Whether a request's own `Cookie` field is appended to the stored cookies instead of
        /// replacing them.
        ///
        /// Default: `false`.
        package var addsStoredCookies = false
        /// Names of further header fields to treat as `Authorization` and `Cookie`: a redirect to
        /// another origin drops them.
        public var secretHeaders: [String] = []
        /// The folder for the temporary files of downloads; `nil`: `TMPDIR`, or `/tmp`.
        public var temporaryFolder: String?
        /// Whether content codings of a body (`gzip`, `deflate`, `br`, `zstd`) appear in requests, and tasks
        /// decode them before delivery.
        ///
        /// A download remains as the server sends it, except with `.always`. Default: `.automatic`.
        public var contentDecoding = ContentDecoding.automatic
        /// The names among `User-Agent`, `Accept` and `Accept-Encoding` that a task sends only if a request
        /// sets them.
        public var omittedDefaultHeaders: [String] = []

        /// Whether tasks with a delegate collect metrics, and report them by
        /// `urlSession(_:task:didFinishCollecting:)`.
        ///
        /// Default: `true`.
        public var collectsMetrics = true
        /// Whether the heads of requests and responses are recorded.
        ///
        /// The delegate receives the heads of responses by `urlSession(_:task:didReceiveHeads:)`, also of
        /// stored ones, in HTTP/1.1 form. The requests in the metrics have the sent fields.
        ///
        /// Default: `false`.
        public var recordsHeads = false
        /// Whether the delegate receives libcurl's trace by `urlSession(_:task:didTrace:)`.
        ///
        /// Default: `false`.
        public var tracesTransfers = false
        /// Whether resume data contains a checksum of the file's bytes.
        var keepsChecksums = false

        /// The defaults.
        public init() {}
    }

    /// Whether tasks decode content codings.
    public enum ContentDecoding: String, Codable, Sendable, Hashable {
        /// Decode, unless a request sets its own `Accept-Encoding`: then the task delivers the body as
        /// received.
        case automatic
        /// Always decode, also in downloads: the file then has the decoded body, and a coded download
        /// cannot be continued.
        case always
        /// Neither request nor decode codings.
        case never
        /// Neither request nor decode content codings, and do not decode transfer codings: the body
        /// then contains chunk frames and trailers.
        ///
        /// Such a body is not cached, and not compared with the server's digests. It cannot be
        /// continued if it has a transfer coding. A range is handled as with `never`, because it must
        /// be separated from its framing. Not in Foundation.
        case raw
    }

    /// The versions of HTTP that a task may use.
    public enum HTTPVersion: String, Codable, Sendable, Hashable {
        /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
        case automatic
        /// HTTP/1.0 only.
        case http10 = "1.0"
        /// HTTP/1.1 only.
        case http1 = "1.1"
        /// HTTP/2; by upgrade on plain connections.
        case http2 = "2"
    }

    /// The kind of address that a task may use.
    public enum AddressFamily: String, Codable, Sendable, Hashable {
        /// The family that connects first.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// The proxy.
    public enum Proxy: Sendable, Hashable {
        /// The dictionary, or else `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read when
        /// the session's first task begins.
        case automatic
        /// No proxy, regardless of the environment.
        case none
        /// A proxy: `[scheme://][user[:password]@]host[:port]`, the scheme `http`, `https`, `socks4`,
        /// `socks4a`, `socks5` or `socks5h`.
        ///
        /// Default scheme: `http`. Default port: 1080, or 443 for `https`.
        case url(String)
    }
}

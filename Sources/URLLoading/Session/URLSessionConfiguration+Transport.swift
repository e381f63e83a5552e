public import FoundationEssentials
import Synchronization

// What Foundation's configuration has no words for, kept apart from what it has.
extension URLSessionConfiguration {
    /// How connections are made and which servers they trust.
    public var transport: TransportOptions {
        get { locked.withLock { $0.transport } }
        set { locked.withLock { $0.transport = newValue } }
    }

    /// How slow a transfer may be, and for how long.
    package struct LeastRate: Codable, Equatable, Sendable {
        package var bytesPerSecond: Int64
        /// Whole seconds count, and less than one is one.
        package var time: Duration

        package init(bytesPerSecond: Int64, time: Duration) {
            self.bytesPerSecond = bytesPerSecond
            self.time = time
        }
    }

    /// How connections are made and which servers they trust, beyond Foundation's own properties.
    public struct TransportOptions: Sendable {
        /// The versions of HTTP that may be used.
        ///
        /// Default: HTTP/2 where TLS agrees on it.
        public var httpVersion = HTTPVersion.automatic
        /// How long name look-up, connecting and the TLS handshake may take together, seconds.
        ///
        /// `nil`: as long as the idle time-out allows.
        public var connectTimeout: TimeInterval?
        /// The kind of address that may be used.
        public var addressFamily = AddressFamily.any
        /// The interface, address or host name to connect from.
        public var interface: String?
        /// Addresses that replace look-ups, each `host:port:address[,address]`.
        public var resolve: [String] = []
        /// Hosts and ports that are connected to in place of a URL's, each `host:port:to:port`, as
        /// in CURLOPT_CONNECT_TO(3).
        public var connectTo: [String] = []
        /// A Unix socket to connect to in place of the URL's host; no proxy is used then.
        public var unixSocketPath: String?
        /// The proxy.
        ///
        /// Default: what ``URLSessionConfiguration/connectionProxyDictionary`` says, and where
        /// there is none, the environment. Any other value replaces the dictionary.
        public var proxy = Proxy.automatic
        /// The hosts that are reached without the proxy, as `no_proxy` has them, `*` for all;
        /// `nil`: what the dictionary's `ExceptionsList` says, or without a dictionary `no_proxy`.
        public var noProxy: String?
        /// The user and password for whatever proxy is used, in place of those in its URL;
        /// `nil`: the URL's.
        ///
        /// An HTTP proxy gets them when it asks, a SOCKS proxy at once. A credential of another
        /// kind is ignored.
        public var proxyCredential: URLCredential?
        /// Whether an HTTP proxy is asked for a tunnel (`CONNECT`) for plain HTTP too, so that it forwards
        /// requests unchanged.
        ///
        /// For HTTPS it always is. If the proxy opens no tunnel, the task fails with the same error as for
        /// HTTPS. Default: `false`. Not in Foundation.
        public var tunnelsThroughProxy = false
        /// The bytes a second that a task may receive, and send; 0: any number.
        public var maximumBytesPerSecond: Int64 = 0
        /// The rate below which a transfer counts as one that has fallen silent; `nil`: none.
        package var leastRate: LeastRate?
        /// The largest number of streams of a download, each over a connection of its own: the first
        /// response, and ranges of the same file that are requested beside it.
        ///
        /// No more than ``URLSessionConfiguration/httpMaximumConnectionsPerHost``. More than one
        /// are used where the response to a plain GET is a 200 that says how long the file is. It
        /// must also say that the server sends ranges (`Accept-Ranges: bytes`), and identify this version of
        /// the file (a strong `ETag`, or a settled `Last-Modified`). Each
        /// range is requested with that validator, and checked before its first byte is written.
        /// Where the server refuses, or has other bytes, there are fewer streams, down to the
        /// first. Ranges are requested over HTTP/1.1 where the first response came over HTTP/2,
        /// whose streams would share one connection, and over TLS on several threads.
        /// ``maximumBytesPerSecond`` holds for all together. Default: 1.
        public var maximumStreamsPerDownload: Int {
            get { streamLimit }
            set { streamLimit = max(1, newValue) }
        }
        private var streamLimit = 1
        /// When the file of a finished download is written to the disk.
        ///
        /// A program that moves it is responsible for the new folder. Default:
        /// `.group`. Not in Foundation.
        public var fileSynchronization = FileSynchronization.group
        /// The largest body of a response, bytes; `nil`: no limit.
        ///
        /// If the length is known, nothing is read and no file is made. Otherwise the task ends when
        /// more bytes arrive, after it has delivered this many. It fails with
        /// `dataLengthExceedsMaximum`, and a download leaves only the bytes of earlier tasks. For a
        /// continued file the whole counts.
        public var maximumBodyBytes: Int64?
        /// Whether bodies are compared with the `Content-Digest` and `Repr-Digest` that servers send
        /// along ([RFC 9530](https://www.rfc-editor.org/rfc/rfc9530)), by SHA-256 or SHA-512.
        ///
        /// With a different digest the task fails with `bodyDigestMismatch`. Default: `true`.
        public var checksDigestFields = true
        /// The servers that TLS trusts.
        public var trust = ServerTrust()
        /// Whether hosts that have asked for it are reached over TLS only.
        public var strictTransportSecurity = StrictTransportSecurity.automatic
        /// The cipher suites of TLS 1.2 and before, in OpenSSL's spelling.
        public var ciphers: String?
        /// The certificate to show to servers that ask for one; `nil`: the delegate is asked.
        public var clientCertificate: ClientCertificate?
        var clientKeySecret: Secret?
        /// The pass phrase of that certificate's key; `nil` where it has none.
        public var clientKeyPassword: String? {
            get { clientKeySecret?.text }
            set { clientKeySecret = newValue.map(Secret.init) }
        }
        /// The redirects a task follows before it fails with `httpTooManyRedirects`.
        ///
        /// Default: 20.
        public var maximumRedirects = 20
        /// Whether a redirect whose target is no URL of HTTP's is the response, whatever its
        /// `Location` says; else the task fails.
        ///
        /// Default: `false`.
        package var acceptsOddRedirects = false
        /// The statuses among 301, 302 and 303 after which a POST stays a POST, and sends its body
        /// again.
        ///
        /// After the others it becomes a GET without one, as browsers have it.
        ///
        /// Default: empty. Not in Foundation.
        public var redirectsKeepingPost: Set<Int> = []
        /// Whether `/./` and `/../` stay in the paths of URLs and redirects, so that the server
        /// resolves them ([RFC 3986 §5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4)).
        ///
        /// Cookies and credentials use the resolved path anyway; for the cache both are different
        /// URLs. Default: `false`. Not in Foundation.
        public var keepsDotSegments = false
        /// Whether servers are likely to ask for credentials.
        ///
        /// A body above 1 MiB, or of unknown length, then waits a second at most for the server to
        /// want it (`Expect: 100-continue`).
        ///
        /// It waits in any case where the URL has a user. Default: `false`.
        public var expectsChallenges = false
        /// Which servers get a Kerberos ticket when they ask for one (Negotiate).
        public var ticketUse = TicketUse()
        /// Whether a request's own `Cookie` field goes behind the cookies of the storage, and not in
        /// their place.
        ///
        /// Default: `false`.
        package var addsStoredCookies = false
        /// Names of header fields that belong to the origin they are set for, as Authorization and
        /// Cookie do: a redirect to another drops them.
        public var secretHeaders: [String] = []
        /// The folder for the temporary files of downloads; `nil`: `TMPDIR`, or `/tmp`.
        public var temporaryFolder: String?
        /// Whether content codings of a body (`gzip`, `deflate`, `br`, `zstd`) are asked for and
        /// decoded before delivery.
        ///
        /// A download is never decoded: it is stored as the server sends it. Default: `.automatic`.
        public var contentDecoding = ContentDecoding.automatic
        /// The headers among `User-Agent`, `Accept` and `Accept-Encoding` that are not sent unless a request sets
        /// them.
        public var omittedDefaultHeaders: [String] = []

        /// Whether tasks that have a delegate collect metrics, and report them by
        /// `urlSession(_:task:didFinishCollecting:)`.
        ///
        /// Default: `true`.
        public var collectsMetrics = true
        /// Whether the heads of requests and responses are recorded.
        ///
        /// The delegate receives responses' heads by `urlSession(_:task:didReceiveHeads:)`, of a
        /// stored one's as it would have come, and the requests in the metrics have the fields that
        /// were sent.
        ///
        /// Default: `false`.
        public var recordsHeads = false
        /// Whether the delegate receives libcurl's trace by `urlSession(_:task:didTrace:)`.
        ///
        /// Default: `false`.
        public var tracesTransfers = false
        /// Whether a part's resume data has a checksum of its bytes.
        var keepsChecksums = false

        /// The defaults.
        public init() {}
    }

    /// Whether content codings are decoded.
    public enum ContentDecoding: String, Codable, Sendable, Hashable {
        /// They are decoded, unless a request has an `Accept-Encoding` of its own: then the body is
        /// delivered as received.
        case automatic
        /// They are decoded, whatever a request asks for, and in downloads too: then the file has the decoded
        /// body, and a coded download cannot be continued.
        case always
        /// They are neither requested nor decoded.
        case never
        /// They are neither requested nor decoded, and transfer codings are not decoded either: the frames of
        /// chunks, and trailers, are part of the body then.
        ///
        /// Such a body is neither kept in the cache nor taken from it, is compared with no digest
        /// that the server gives. It cannot be continued where it has a transfer coding. What a
        /// `Range` asks for comes as by `never`: a part has to be distinguished from its frame. Not in
        /// Foundation.
        case raw
    }

    /// The versions of HTTP that may be used.
    public enum HTTPVersion: String, Codable, Sendable, Hashable {
        /// HTTP/2 where TLS agrees on it, else HTTP/1.1.
        case automatic
        /// HTTP/1.0 only.
        case http10 = "1.0"
        /// HTTP/1.1 only.
        case http1 = "1.1"
        /// HTTP/2, on plain connections by upgrade.
        case http2 = "2"
    }

    /// The kind of address that may be used.
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
        /// What the dictionary says, or else `http_proxy`, `https_proxy`, `all_proxy` and
        /// `no_proxy`, as they are when the session's first task begins.
        case automatic
        /// No proxy, whatever the environment says.
        case none
        /// This one: `[scheme://][user[:password]@]host[:port]`, the scheme `http`, `https`,
        /// `socks4`, `socks4a`, `socks5` or `socks5h`.
        ///
        /// Without a scheme it is `http`; without a port 1080, or 443 for `https`.
        case url(String)
    }
}

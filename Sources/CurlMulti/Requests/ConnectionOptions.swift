/// How a transfer reaches its server.
public struct ConnectionOptions: Sendable, Hashable {
    /// The versions of HTTP that may be spoken.
    public var httpVersion = HTTPVersion.automatic
    /// How long name look-up, connecting and the TLS handshake may take together.
    ///
    /// `nil`: as long as the idle time-out allows.
    public var connectTimeout: Duration?
    /// The kind of address that may be used.
    public var addressFamily = AddressFamily.any
    /// The interface, address or host name to connect from, as in CURLOPT_INTERFACE(3).
    public var interface: String?
    /// Addresses that replace look-ups, each `host:port:address[,address]`.
    public var resolve: [String] = []
    /// A Unix socket to connect to in place of the URL's host.
    public var unixSocketPath: String?
    /// What stands between us and the server.
    public var proxy = Proxy.environment
    /// The hosts that are reached without the proxy; `nil`: as the environment says.
    public var noProxy: String?
    /// The bytes a second that may be received; 0: any number.
    public var maximumReceiveRate: Int64 = 0
    /// The bytes a second that may be sent; 0: any number.
    public var maximumSendRate: Int64 = 0
    /// Whether a pooled connection may be used.
    ///
    /// libcurl sends a request again, silently, when a pooled connection turns out dead: a body
    /// that cannot be sent a second time wants a new one.
    public var mayReuseConnection = true

    /// libcurl's defaults.
    public init() {}

    /// The versions of HTTP that may be spoken.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where TLS agrees on it, else HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2, also asked for on plain connections.
        case http2
    }

    /// The kind of address that may be used.
    public enum AddressFamily: Sendable, Hashable {
        /// Whichever answers first.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// What stands between us and the server.
    public enum Proxy: Sendable, Hashable {
        /// What `http_proxy`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say, as libcurl reads them.
        case environment
        /// No proxy, whatever the environment says.
        case none
        /// This one, as in CURLOPT_PROXY(3).
        case url(String)
    }
}

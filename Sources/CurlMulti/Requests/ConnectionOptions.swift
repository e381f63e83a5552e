/// How a transfer reaches its server.
public struct ConnectionOptions: Sendable, Hashable {
    /// The versions of HTTP that may be used.
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
    /// Hosts and ports that are connected to instead, each `host:port:to:port`.
    public var connectTo: [String] = []
    /// A Unix socket to connect to in place of the URL's host.
    public var unixSocketPath: String?
    /// What is between us and the server; `nil`: nothing, whatever the environment says.
    public var proxy: Proxy?
    /// Whether addresses without a usable route are skipped.
    ///
    /// libcurl would wait two minutes for a route over a link without a carrier.
    public var needsPath = false
    /// Whether names are looked up again, though libcurl remembers them.
    public var looksUpAfresh = false
    /// The bytes a second that may be received; 0: any number.
    public var maximumReceiveRate: Int64 = 0
    /// The bytes a second that may be sent; 0: any number.
    public var maximumSendRate: Int64 = 0
    /// The rate below which a transfer is given up; `nil`: none.
    public var leastRate: LeastRate?
    /// Whether a pooled connection may be used.
    ///
    /// libcurl sends a request again, silently, when a pooled connection turns out dead: a body
    /// that cannot be sent a second time wants a new one.
    public var mayReuseConnection = true

    /// Whether the connection may take other requests at the same time; as the loop's
    /// ``LoopLimits/multiplexes`` has it.
    public var multiplexes = true
    /// The traffic class of the connection's packets: the DSCP and two bits of zero, as in IP_TOS
    /// (ip(7)) and IPV6_TCLASS; 0: the system's.
    public var trafficClass: UInt8 = 0

    /// libcurl's defaults.
    public init() {}

    /// How slow a transfer may be, and for how long: CURLOPT_LOW_SPEED_LIMIT(3).
    public struct LeastRate: Sendable, Hashable {
        /// 1 or more.
        public var bytesPerSecond: Int
        /// 1 or more.
        public var seconds: Int

        /// Makes a rate that must be reached, on average, over this time.
        public init(bytesPerSecond: Int, seconds: Int) {
            self.bytesPerSecond = bytesPerSecond
            self.seconds = seconds
        }
    }

    /// The versions of HTTP that may be used.
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where TLS agrees on it, else HTTP/1.1.
        case automatic
        /// HTTP/1.0 only.
        case http10
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2, also asked for on plain connections.
        case http2
    }

    /// The kind of address that may be used.
    public enum AddressFamily: Sendable, Hashable {
        /// The family that connects first.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// What is between us and the server.
    public struct Proxy: Sendable, Hashable {
        /// Scheme, host and port, as in CURLOPT_PROXY(3), without user and password.
        public var url: String
        /// The user for a SOCKS proxy; an HTTP proxy gets it in header lines.
        public var user: String?
        /// The password for a SOCKS proxy.
        public var password: String?
        /// Whether an HTTP proxy is asked for a tunnel for plain HTTP too.
        public var opensTunnels = false

        /// Names the proxy.
        public init(url: String, user: String? = nil, password: String? = nil) {
            self.url = url
            self.user = user
            self.password = password
        }
    }
}

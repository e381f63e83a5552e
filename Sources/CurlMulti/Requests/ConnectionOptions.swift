import Glibc
package import HTTPSemantics

/// Defines how a transfer reaches its server.
package struct ConnectionOptions: Sendable, Hashable {
    package var httpVersion = HTTPVersion.automatic
    /// The time limit for name look-up, connecting and the TLS handshake together.
    ///
    /// `nil`: the idle time-out alone limits it.
    package var connectTimeout: Duration?
    /// `AF_INET` or `AF_INET6`: only addresses of this family; `AF_UNSPEC`: the family that connects first.
    package var addressFamily: CInt = AF_UNSPEC
    /// The interface, address or host name to connect from, as in CURLOPT_INTERFACE(3).
    package var interface: String?
    /// Addresses that replace name look-ups, each `host:port:address[,address]`.
    package var resolve: [String] = []
    /// Hosts and ports that libcurl replaces when it connects, each `host:port:to:port`.
    package var connectTo: [String] = []
    /// A Unix socket that libcurl connects to instead of the URL's host.
    package var unixSocketPath: String?
    /// The proxy between us and the server; `nil`: none, even if the environment names one.
    package var proxy: Proxy?
    /// Whether libcurl skips addresses without a usable route.
    ///
    /// Otherwise it waits two minutes for a route over a link without a carrier.
    package var needsPath = false
    /// Whether libcurl looks names up again, though it remembers them.
    package var bypassesDNSCache = false
    /// The rate below which libcurl ends a transfer: CURLOPT_LOW_SPEED_LIMIT(3).
    package var minimumBytesPerSecond = 0
    /// The seconds over which the transfer must reach the rate on average; 0: there is no such rate.
    package var minimumRateSeconds = 0
    /// Whether the transfer may use a pooled connection.
    ///
    /// libcurl sends a request again, without a report, when a pooled connection turns out dead. So a
    /// body that we cannot send a second time needs a new connection.
    package var mayReuseConnection = true

    /// Whether the connection may carry other requests at the same time.
    ///
    /// Set it to the loop's ``LoopLimits/multiplexes``.
    package var multiplexes = true
    /// The traffic class of the connection's packets; 0: the system's.
    ///
    /// It is the DSCP and two zero bits, as in IP_TOS (ip(7)) and IPV6_TCLASS.
    package var trafficClass: UInt8 = 0

    package init() {}

    package enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 if TLS negotiates it, otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.0 only.
        case http10
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2, which libcurl also offers on plain connections.
        case http2
    }

    /// A proxy between us and the server.
    package struct Proxy: Sendable, Hashable {
        /// Scheme, host and port, as in CURLOPT_PROXY(3), without user and password.
        package var url: String
        /// The user for a SOCKS proxy; an HTTP proxy reads it from header lines.
        package var user: String?
        package var password: Secret?
        /// Whether libcurl asks an HTTP proxy for a tunnel for plain HTTP too.
        package var opensTunnels = false

        package init(url: String, user: String? = nil, password: Secret? = nil) {
            self.url = url
            self.user = user
            self.password = password
        }
    }
}

/// The metrics of one hop (one request and its response): times in microseconds, counts in bytes.
///
/// The time of a step that the hop did not reach is 0 or `nil`.
package struct HopMetrics: Sendable, Hashable, Codable {
    /// Where the response came from, as the number of a `URLSessionTaskMetrics.ResourceFetchType`.
    package var fetchType = 0
    /// The wall-clock time of the begin, since 1970.
    package var begun: Int64 = 0
    /// The wait for other hops of the same origin, until libcurl chose a connection.
    package var waited: Int64 = 0
    /// The end of the name look-up.
    ///
    /// This and the following times are relative to the end of `waited`.
    package var nameLookup: Int64 = 0
    /// The time at which the connection was established.
    package var connect: Int64 = 0
    /// The end of the TLS handshake, after a proxy's tunnel if there is one.
    package var secureConnect: Int64 = 0
    /// The time just before libcurl sent the request.
    package var requestStart: Int64 = 0
    /// The time at which libcurl sent the body's last byte; ``requestStart`` without a body.
    package var requestEnd: Int64 = 0
    /// The time at which the response's first byte arrived.
    package var responseStart: Int64 = 0
    /// The end of the hop.
    package var end: Int64 = 0
    /// The bytes of all request heads, those for a proxy included.
    package var requestHeadBytes: Int64 = 0
    package var requestBodyBytes: Int64 = 0
    /// The bytes that the hop read from the body's stream.
    package var requestBodyBytesBeforeEncoding: Int64 = 0
    package var responseHeadBytes: Int64 = 0
    /// The bytes that arrived, before decoding.
    package var responseBodyBytes: Int64 = 0
    package var responseBodyBytesAfterDecoding: Int64 = 0
    package var networkProtocolName: String?
    /// The connections that were made for the hop; 0: it used an earlier one.
    package var connections = 0
    package var isProxyConnection = false
    package var localAddress: String?
    package var localPort: Int?
    /// The other end's address: the proxy's, if there is one.
    package var remoteAddress: String?
    package var remotePort: Int?
    /// The version's number on the wire: 0x0304 is TLS 1.3.
    package var tlsVersion: UInt16?
    /// IANA's number of the suite; 0: OpenSSL names none.
    package var tlsCipherSuite: UInt16?
    /// OpenSSL's verdicts on the certificates of server and proxy, `X509_V_ERR_…`, and the proxy's status for
    /// CONNECT; 0: none.
    package var certificateVerdict = 0
    package var proxyCertificateVerdict = 0
    package var connectStatus = 0
    /// The server's certificates, its own first, each in DER.
    package var certificates: [[UInt8]] = []
    /// Whether the hop requested a range for another hop's download.
    package var isPart = false
    /// The last sent head, if the session records heads; over HTTP/2 the equivalent one of HTTP/1.1.
    package var requestHead: [UInt8] = []

    /// Creates empty metrics.
    package init() {}

    /// Whether the request used the connection of an earlier hop.
    package var isReusedConnection: Bool { connections == 0 && requestStart > 0 }
}

import FoundationEssentials

/// The metrics of one hop: times in microseconds, counts in bytes.
///
/// A time that was not reached is 0 or `nil`.
package struct HopMetrics: Sendable, Hashable, Codable {
    /// Where its response came from.
    package var fetchType = URLSessionTaskMetrics.ResourceFetchType.unknown
    /// The time of day when it began, since 1970.
    package var begun: Int64 = 0
    /// From then until a connection was chosen: the wait for other hops of its origin.
    package var waited: Int64 = 0
    /// The times that follow are counted from there: until the name was looked up.
    package var nameLookup: Int64 = 0
    /// Until the connection was established.
    package var connect: Int64 = 0
    /// Until the end of the TLS handshake, with a proxy's tunnel before it.
    package var secureConnect: Int64 = 0
    /// Until the request was about to be sent.
    package var requestStart: Int64 = 0
    /// Until the last byte of its body was sent; ``requestStart`` without a body.
    package var requestEnd: Int64 = 0
    /// Until the first byte of the response came.
    package var responseStart: Int64 = 0
    /// Until the end.
    package var end: Int64 = 0
    package var requestHeadBytes: Int64 = 0
    package var requestBodyBytes: Int64 = 0
    /// The bytes that were taken from the body's stream.
    package var requestBodyBytesBeforeEncoding: Int64 = 0
    package var responseHeadBytes: Int64 = 0
    package var responseBodyBytes: Int64 = 0
    package var responseBodyBytesAfterDecoding: Int64 = 0
    package var networkProtocolName: String?
    package var connections = 0
    package var isProxyConnection = false
    package var localAddress: String?
    package var localPort: Int?
    package var remoteAddress: String?
    package var remotePort: Int?
    package var tlsVersion: UInt16?
    package var tlsCipherSuite: UInt16?
    /// OpenSSL's verdicts on the certificates of server and proxy, and a proxy's status for CONNECT.
    package var certificateVerdict = 0
    package var proxyCertificateVerdict = 0
    package var connectStatus = 0
    /// The certificates that the server has shown, its own first, each in DER.
    package var certificates: [[UInt8]] = []
    /// Whether it is a range of another hop's response.
    package var isPart = false
    /// The request's head as it was sent, if heads are recorded.
    package var requestHead: [UInt8] = []

    /// Nothing yet.
    package init() {}

    /// Whether the request was sent over a connection of an earlier hop's.
    package var isReusedConnection: Bool { connections == 0 && requestStart > 0 }
}

/// The time of day, which the user may set.
enum WallClock {
    /// Microseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }
}

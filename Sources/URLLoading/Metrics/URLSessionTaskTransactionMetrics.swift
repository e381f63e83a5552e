public import FoundationEssentials

/// The metrics of one request and its response, as Foundation's `URLSessionTaskTransactionMetrics`.
///
/// The time of a step that the task did not reach is `nil`. The times of look-up and connecting are also
/// `nil` if the request used an existing connection. An NTLM or Negotiate handshake is part of one
/// transaction.
public final class URLSessionTaskTransactionMetrics: Sendable {
    /// The request with all its header fields: those that the session set, or with `transport.recordsHeads`,
    /// those that libcurl sent.
    public let request: URLRequest
    /// The response; `nil`: none arrived.
    ///
    /// If a proxy refused a tunnel, the proxy's response.
    public let response: URLResponse?
    /// The metrics of the transport.
    package let hop: HopMetrics
    /// The error of this request.
    package let error: URLError?

    init(_ request: URLRequest, _ response: URLResponse?, _ hop: HopMetrics, _ error: URLError?) {
        self.request = request
        self.response = response
        self.hop = hop
        self.error = error
    }
}

// Times.
extension URLSessionTaskTransactionMetrics {
    /// The time at which the task began with the request.
    public var fetchStartDate: Date? { date(hop.begun) }

    /// The time at which the name look-up began.
    public var domainLookupStartDate: Date? {
        moment(ofNew: hop.nameLookup) == nil ? nil : date(hop.begun + hop.waited)
    }

    /// The time at which the name look-up ended.
    public var domainLookupEndDate: Date? { moment(ofNew: hop.nameLookup) }

    /// The time at which connecting began.
    public var connectStartDate: Date? { moment(ofNew: hop.nameLookup) }

    /// The time at which the connection was established, including TLS if used.
    public var connectEndDate: Date? {
        guard isSecure else { return moment(ofNew: hop.connect) }
        return moment(ofNew: hop.secureConnect)
    }

    /// The time at which the TLS handshake began; `nil` without TLS.
    public var secureConnectionStartDate: Date? {
        isSecure ? moment(ofNew: hop.connect) : nil
    }

    /// The time at which the TLS handshake ended; `nil` without TLS.
    public var secureConnectionEndDate: Date? {
        isSecure ? moment(ofNew: hop.secureConnect) : nil
    }

    /// The time at which sending the request began.
    public var requestStartDate: Date? { moment(hop.requestStart) }

    /// The time at which libcurl sent the request's last byte.
    public var requestEndDate: Date? { moment(hop.requestEnd) }

    /// The time at which the response's first byte arrived.
    public var responseStartDate: Date? { moment(hop.responseStart) }

    /// The time at which the response's last byte arrived, or the response failed.
    public var responseEndDate: Date? {
        hop.responseStart > 0 ? moment(hop.end) : nil
    }

    private var isSecure: Bool { request.url?.scheme?.lowercased() == "https" }

    private func date(_ microseconds: Int64) -> Date? {
        guard microseconds > 0 else { return nil }
        return Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    }

    private func moment(_ offset: Int64) -> Date? {
        offset > 0 ? date(hop.begun + hop.waited + offset) : nil
    }

    /// A time of a connection that libcurl opened for this request.
    private func moment(ofNew offset: Int64) -> Date? {
        hop.isReusedConnection ? nil : moment(offset)
    }
}

// The connection.
extension URLSessionTaskTransactionMetrics {
    /// The protocol's ALPN name: `http/1.1`, `h2`; `nil`: none was negotiated.
    public var networkProtocolName: String? { hop.networkProtocolName }

    /// Whether the request used a proxy.
    public var isProxyConnection: Bool { hop.isProxyConnection }

    /// Whether the request used a connection of an earlier request.
    public var isReusedConnection: Bool { hop.isReusedConnection }

    /// The origin of the response.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { hop.resourceFetchType }

    /// The protocol of the name look-up: unknown.
    public var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol {
        .unknown
    }

    /// The local address of the connection; `nil`: none.
    public var localAddress: String? { hop.localAddress }

    /// The local port of the connection.
    public var localPort: Int? { hop.localPort }

    /// The remote address of the connection, which is the proxy's if there is one.
    public var remoteAddress: String? { hop.remoteAddress }

    /// The remote port of the connection.
    public var remotePort: Int? { hop.remotePort }

    /// The TLS version; `nil`: no TLS with the server.
    public var negotiatedTLSProtocolVersion: TLSProtocolVersion? {
        hop.tlsVersion.flatMap(TLSProtocolVersion.init)
    }

    /// The TLS cipher suite.
    public var negotiatedTLSCipherSuite: TLSCipherSuite? {
        hop.tlsCipherSuite.map(TLSCipherSuite.init)
    }

    /// Whether the connection uses a mobile network: unknown on Linux.
    public var isCellular: Bool { false }

    /// Whether the connection is expensive: unknown on Linux.
    public var isExpensive: Bool { false }

    /// Whether the user wants low data use: unknown on Linux.
    public var isConstrained: Bool { false }

    /// Whether the connection uses several paths: never.
    public var isMultipath: Bool { false }
}

// Byte counts.
extension URLSessionTaskTransactionMetrics {
    /// The bytes of the request's head, including heads for a proxy's tunnel and a handshake.
    public var countOfRequestHeaderBytesSent: Int64 { hop.requestHeadBytes }

    /// The bytes of the request's body as sent, including chunk framing.
    public var countOfRequestBodyBytesSent: Int64 { hop.requestBodyBytes }

    /// The bytes of the request's body.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 {
        hop.requestBodyBytesBeforeEncoding
    }

    /// The bytes of the response's head, including interim responses and a proxy's heads.
    public var countOfResponseHeaderBytesReceived: Int64 { hop.responseHeadBytes }

    /// The bytes of the response's body as received.
    public var countOfResponseBodyBytesReceived: Int64 { hop.responseBodyBytes }

    /// The bytes of the response's body as delivered.
    public var countOfResponseBodyBytesAfterDecoding: Int64 {
        hop.responseBodyBytesAfterDecoding
    }
}

public import FoundationEssentials

/// What one request of a task and its response cost, as Foundation's
/// `URLSessionTaskTransactionMetrics`.
///
/// A moment that was not come to is `nil`; those of looking up and connecting are, too, where the
/// connection was there already. NTLM and Negotiate shake hands within one transaction.
public final class URLSessionTaskTransactionMetrics: Sendable {
    /// The request, with all header fields that the session has put into it, or, where heads are
    /// recorded (`transport.recordsHeads`), those that were sent.
    public let request: URLRequest
    /// The response; `nil` where none came.
    ///
    /// A proxy's, where that refused to open a tunnel.
    public let response: URLResponse?
    /// What the transport has noted.
    package let hop: HopMetrics
    /// What this one request failed with.
    package let error: URLError?

    init(_ request: URLRequest, _ response: URLResponse?, _ hop: HopMetrics, _ error: URLError?) {
        self.request = request
        self.response = response
        self.hop = hop
        self.error = error
    }
}

// When.
extension URLSessionTaskTransactionMetrics {
    /// When the task began with the request.
    public var fetchStartDate: Date? { date(hop.begun) }

    /// When the look-up of the name began.
    public var domainLookupStartDate: Date? {
        moment(ofNew: hop.nameLookup) == nil ? nil : date(hop.begun + hop.waited)
    }

    /// When the name was looked up.
    public var domainLookupEndDate: Date? { moment(ofNew: hop.nameLookup) }

    /// When connecting began.
    public var connectStartDate: Date? { moment(ofNew: hop.nameLookup) }

    /// When the connection was established, with TLS where there is some.
    public var connectEndDate: Date? {
        guard isSecure else { return moment(ofNew: hop.connect) }
        return moment(ofNew: hop.secureConnect)
    }

    /// When the handshake of TLS began; `nil` without TLS.
    public var secureConnectionStartDate: Date? {
        isSecure ? moment(ofNew: hop.connect) : nil
    }

    /// When the TLS handshake ended; `nil` without TLS.
    public var secureConnectionEndDate: Date? {
        isSecure ? moment(ofNew: hop.secureConnect) : nil
    }

    /// When the request was begun to be sent.
    public var requestStartDate: Date? { moment(hop.requestStart) }

    /// When the last byte of the request had left; where it has no body, when it was sent.
    public var requestEndDate: Date? { moment(hop.requestEnd) }

    /// When the first byte of the response came.
    public var responseStartDate: Date? { moment(hop.responseStart) }

    /// When the last byte of the response came, or it failed.
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

    /// A moment of a connection that is made for this request.
    private func moment(ofNew offset: Int64) -> Date? {
        hop.isReusedConnection ? nil : moment(offset)
    }
}

// How.
extension URLSessionTaskTransactionMetrics {
    /// The protocol by its name in ALPN: `http/1.1`, `h2`; `nil` where none was spoken.
    public var networkProtocolName: String? { hop.networkProtocolName }

    /// Whether the request went through a proxy.
    public var isProxyConnection: Bool { hop.isProxyConnection }

    /// Whether a connection of an earlier request served.
    public var isReusedConnection: Bool { hop.isReusedConnection }

    /// Where the response came from.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { hop.fetchType }

    /// How the name was looked up: not known.
    public var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol {
        .unknown
    }

    /// The address of our end of the connection; `nil` where there was none.
    public var localAddress: String? { hop.localAddress }

    /// The port of our end.
    public var localPort: Int? { hop.localPort }

    /// The address of the other end: the proxy's, where there is one.
    public var remoteAddress: String? { hop.remoteAddress }

    /// The port of the other end.
    public var remotePort: Int? { hop.remotePort }

    /// The version of TLS; `nil` where none was spoken with the server.
    public var negotiatedTLSProtocolVersion: TLSProtocolVersion? {
        hop.tlsVersion.flatMap(TLSProtocolVersion.init)
    }

    /// The cipher suite of TLS.
    public var negotiatedTLSCipherSuite: TLSCipherSuite? {
        hop.tlsCipherSuite.map(TLSCipherSuite.init)
    }

    /// Whether the connection goes over a mobile network: unknown on Linux.
    public var isCellular: Bool { false }

    /// Whether the connection is an expensive one: unknown on Linux.
    public var isExpensive: Bool { false }

    /// Whether the user wants little traffic: unknown on Linux.
    public var isConstrained: Bool { false }

    /// Whether several paths are used at once: never.
    public var isMultipath: Bool { false }
}

// How much.
extension URLSessionTaskTransactionMetrics {
    /// The bytes of the request's head, with those of a proxy's and of a handshake's.
    public var countOfRequestHeaderBytesSent: Int64 { hop.requestHeadBytes }

    /// The bytes of the request's body as they left, with the frames of a chunked one.
    public var countOfRequestBodyBytesSent: Int64 { hop.requestBodyBytes }

    /// The bytes of the request's body.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 {
        hop.requestBodyBytesBeforeEncoding
    }

    /// The bytes of the response's head, with those of interim responses and of a proxy's.
    public var countOfResponseHeaderBytesReceived: Int64 { hop.responseHeadBytes }

    /// The bytes of the response's body as they came.
    public var countOfResponseBodyBytesReceived: Int64 { hop.responseBodyBytes }

    /// The bytes of the response's body as they were handed on.
    public var countOfResponseBodyBytesAfterDecoding: Int64 {
        hop.responseBodyBytesAfterDecoding
    }
}

import CCurl

/// What one transfer cost, in time and bytes, as libcurl counted it.
public struct TransferMetrics: Sendable, Hashable {
    /// The time from the start until the name was looked up.
    public var nameLookup = Duration.zero
    /// The time from the start until the connection stood.
    public var connect = Duration.zero
    /// The time from the start until TLS stood; zero without TLS.
    public var secureConnect = Duration.zero
    /// The time from the start until the request was about to be sent.
    public var pretransfer = Duration.zero
    /// The time from the start until the first byte of the answer.
    public var firstByte = Duration.zero
    /// The time from the start to the end.
    public var total = Duration.zero
    /// The bytes of the request's head, or of several, with a proxy's.
    public var requestHeadBytes = 0
    /// The bytes of the request's body that were sent.
    public var requestBodyBytes: Int64 = 0
    /// The bytes of the answer's heads.
    public var responseHeadBytes = 0
    /// The bytes of the answer's body as they came.
    public var responseBodyBytes: Int64 = 0
    /// The version of HTTP: `http/1.0`, `http/1.1`, `h2`; `nil` where none was spoken.
    public var networkProtocol: String?
    /// Whether a connection from an earlier transfer served.
    public var isReusedConnection = false
    /// The address and port of the other end.
    public var remoteAddress: String?
    /// The port of the other end.
    public var remotePort = 0
    /// The address of our end.
    public var localAddress: String?
    /// The port of our end.
    public var localPort = 0

    /// Nothing yet.
    public init() {}
}

extension TransferMetrics {
    init(_ handle: borrowing EasyHandle) {
        nameLookup = .microseconds(handle.offset(CURLINFO_NAMELOOKUP_TIME_T))
        connect = .microseconds(handle.offset(CURLINFO_CONNECT_TIME_T))
        secureConnect = .microseconds(handle.offset(CURLINFO_APPCONNECT_TIME_T))
        pretransfer = .microseconds(handle.offset(CURLINFO_PRETRANSFER_TIME_T))
        firstByte = .microseconds(handle.offset(CURLINFO_STARTTRANSFER_TIME_T))
        total = .microseconds(handle.offset(CURLINFO_TOTAL_TIME_T))
        requestHeadBytes = handle.long(CURLINFO_REQUEST_SIZE)
        requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        responseHeadBytes = handle.long(CURLINFO_HEADER_SIZE)
        responseBodyBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        isReusedConnection = handle.long(CURLINFO_NUM_CONNECTS) == 0
        remoteAddress = handle.string(CURLINFO_PRIMARY_IP)
        remotePort = handle.long(CURLINFO_PRIMARY_PORT)
        localAddress = handle.string(CURLINFO_LOCAL_IP)
        localPort = handle.long(CURLINFO_LOCAL_PORT)
        networkProtocol =
            switch handle.long(CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_1_0: "http/1.0"
            case CURL_HTTP_VERSION_1_1: "http/1.1"
            case CURL_HTTP_VERSION_2_0: "h2"
            default: nil
            }
    }
}

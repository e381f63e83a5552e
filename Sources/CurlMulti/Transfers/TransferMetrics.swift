import CCurl
import CSSL
import Glibc
import HTTPSemantics

/// What one transfer cost, in time and bytes, as libcurl counted it.
///
/// Of a transfer whose cost the caller does not ask for, only what the session itself needs is filled in:
/// ``requestBodyBytes`` and ``networkProtocol``. Times that were not come to are zero.
public struct TransferMetrics: Sendable, Hashable {
    /// Whether all of it is filled in: ``TransferRequest/collectsMetrics``.
    public var isComplete = false
    /// The time of day when the loop got the transfer, in microseconds since 1970.
    public var begun: Int64 = 0
    /// The time from then until libcurl got it: others of its origin went first.
    ///
    /// What follows is counted from there.
    public var waited = Duration.zero
    /// The time from the start until the name was looked up.
    public var nameLookup = Duration.zero
    /// The time from the start until the connection was established.
    public var connect = Duration.zero
    /// The time from the start to the end of the TLS handshake; zero without TLS.
    public var secureConnect = Duration.zero
    /// The time from the start until the request was about to be sent.
    public var pretransfer = Duration.zero
    /// The time from the start until the last bytes of the request's body had left; zero where there
    /// were none.
    public var lastSent = Duration.zero
    /// The time from the start until the first byte of the response.
    public var firstByte = Duration.zero
    /// The time from the start to the end.
    public var total = Duration.zero
    /// The bytes of the request's head, or of several, with a proxy's.
    public var requestHeadBytes = 0
    /// The bytes of the request's body that were sent.
    public var requestBodyBytes: Int64 = 0
    /// The bytes of the response's heads.
    public var responseHeadBytes = 0
    /// The bytes of the response's body as they came.
    public var responseBodyBytes: Int64 = 0
    /// The version of HTTP: `http/1.0`, `http/1.1`, `h2`; `nil` where none was spoken.
    public var networkProtocol: String?
    /// The connections that were made for it; 0 where one from an earlier transfer served.
    public var connections = 0
    /// The address of the other end: the proxy's, where there is one.
    public var remoteAddress: String?
    /// The port of the other end.
    public var remotePort = 0
    /// The address of our end.
    public var localAddress: String?
    /// The port of our end.
    public var localPort = 0
    /// The status of a proxy's response to CONNECT; 0 where there was none.
    public var connectStatus = 0
    /// OpenSSL's verdict on the server's certificate, an `X509_V_ERR_…` number.
    public var certificateVerdict = 0
    /// The same about a proxy over TLS.
    public var proxyCertificateVerdict = 0
    /// What was agreed on with the server; `nil` without TLS.
    public var security: ConnectionSecurity?
    /// The last head that was sent, byte for byte, where ``TransferRequest/recordsHeads`` says so.
    ///
    /// Over HTTP/2 it is what the head would be over HTTP/1.1.
    public var requestHead: [UInt8] = []
    /// What came of heads and trailers after the last that was handed on, in the same case.
    public var restOfHeads: [UInt8] = []

    /// Nothing yet.
    public init() {}
}

extension TransferMetrics {
    /// What the session itself needs to know.
    init(_ handle: borrowing EasyHandle) {
        requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        networkProtocol =
            switch handle.long(CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_1_0: "http/1.0"
            case CURL_HTTP_VERSION_1_1: "http/1.1"
            case CURL_HTTP_VERSION_2_0: "h2"
            default: nil
            }
    }

    /// Fills in all that libcurl knows.
    mutating func complete(_ handle: borrowing EasyHandle) {
        isComplete = true
        nameLookup = .microseconds(handle.offset(CURLINFO_NAMELOOKUP_TIME_T))
        connect = .microseconds(handle.offset(CURLINFO_CONNECT_TIME_T))
        secureConnect = .microseconds(handle.offset(CURLINFO_APPCONNECT_TIME_T))
        pretransfer = .microseconds(handle.offset(CURLINFO_PRETRANSFER_TIME_T))
        total = .microseconds(handle.offset(CURLINFO_TOTAL_TIME_T))
        requestHeadBytes = handle.long(CURLINFO_REQUEST_SIZE)
        responseHeadBytes = handle.long(CURLINFO_HEADER_SIZE)
        responseBodyBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        connections = handle.long(CURLINFO_NUM_CONNECTS)
        remoteAddress = Self.text(handle.string(CURLINFO_PRIMARY_IP))
        remotePort = handle.long(CURLINFO_PRIMARY_PORT)
        localAddress = Self.text(handle.string(CURLINFO_LOCAL_IP))
        localPort = handle.long(CURLINFO_LOCAL_PORT)
        connectStatus = handle.long(CURLINFO_HTTP_CONNECTCODE)
        certificateVerdict = handle.long(CURLINFO_SSL_VERIFYRESULT)
        proxyCertificateVerdict = handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
    }

    /// libcurl's empty text is none.
    private static func text(_ text: String?) -> String? {
        text?.isEmpty == true ? nil : text
    }
}

/// What is noted of a transfer while it runs, where its caller wants to know what it cost.
///
/// It is the loop thread's, as its transfer.
final class TransferMeasurements {
    /// The time of day, in microseconds since 1970.
    private let begun: Int64
    private let start: MonotonicInstant
    private var admitted: MonotonicInstant?
    private var lastSent: MonotonicInstant?
    private var responded: MonotonicInstant?
    private var security: ConnectionSecurity?
    /// Whether heads are kept as they go and come.
    let recordsHeads: Bool
    private var requestHead: [UInt8] = []
    /// What came since the last head that was handed on.
    private var heads: [UInt8] = []

    init(recordsHeads: Bool) {
        self.recordsHeads = recordsHeads
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        begun = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        start = .now
    }

    /// libcurl gets the transfer: its own clock starts, also where it had it before.
    func admit() {
        admitted = .now
        lastSent = nil
        responded = nil
    }

    /// More of the request's body has left.
    func noteSent() {
        lastSent = .now
    }

    /// The connection is established, and the request is about to be sent.
    func note(_ ssl: OpaquePointer, _ handshake: Handshake?) {
        security = ConnectionSecurity(
            version: Int(SSL_version(ssl)),
            cipherSuite: SSL_get_current_cipher(ssl).map(SSL_CIPHER_get_protocol_id) ?? 0,
            certificates: handshake?.trust?.chain ?? Handshake.chain(of: ssl)
        )
    }

    /// A piece of a request's head has left; a proxy's comes before the server's.
    func note(sentHead bytes: UnsafeRawBufferPointer) {
        guard recordsHeads else { return }
        if requestHead.suffix(4).elementsEqual("\r\n\r\n".utf8) { requestHead = [] }
        requestHead += bytes
    }

    /// A line of a head has come, or one behind the body.
    ///
    /// The first line of the server's last head counts as the response's first byte: libcurl takes that
    /// of a request's body for it.
    func note(headLine bytes: UnsafeRawBufferPointer, isConnecting: Bool) {
        if !isConnecting, bytes.starts(with: "HTTP/".utf8) { responded = .now }
        if recordsHeads { heads += bytes }
    }

    /// What came since this was last asked.
    func takeHeads() -> [UInt8] {
        defer { heads = [] }
        return heads
    }

    /// Fills in what libcurl does not know.
    func complete(_ metrics: inout TransferMetrics) {
        metrics.begun = begun
        metrics.waited = (admitted ?? .now) - start
        if let admitted {
            if let lastSent { metrics.lastSent = lastSent - admitted }
            if let responded {
                metrics.firstByte = responded - admitted
                // libcurl's own clock starts a little later.
                metrics.total = max(metrics.total, metrics.firstByte)
            }
        }
        metrics.security = security
        metrics.requestHead = requestHead
        metrics.restOfHeads = takeHeads()
    }
}

/// What TLS has agreed on for a connection.
public struct ConnectionSecurity: Sendable, Hashable {
    /// The version by its number on the wire: 0x0304 is TLS 1.3.
    public var version: Int
    /// The cipher suite by its number in IANA's registry of TLS.
    public var cipherSuite: UInt16
    /// The certificates as the server sent them, its own first, each in DER.
    public var certificates: [[UInt8]]

    /// Combines these values.
    public init(version: Int, cipherSuite: UInt16, certificates: [[UInt8]]) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.certificates = certificates
    }
}

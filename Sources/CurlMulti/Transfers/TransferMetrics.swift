import CCurl
import CSSL
import Glibc
import HTTPSemantics

/// The time and the bytes that one transfer needed, as libcurl counted them.
///
/// If the caller wants no metrics, only ``requestBodyBytes`` and ``networkProtocol`` are set, which the
/// session itself needs. The time of a step that the transfer did not reach is zero.
public struct TransferMetrics: Sendable, Hashable {
    /// Whether all properties are set: ``TransferRequest/collectsMetrics``.
    public var isComplete = false
    /// The time of day when the loop received the transfer, in microseconds since 1970.
    public var begun: Int64 = 0
    /// The time from then until the loop added it to libcurl: other transfers of its origin ran first.
    ///
    /// The following times start there.
    public var waited = Duration.zero
    /// The time from the start until libcurl had looked the name up.
    public var nameLookup = Duration.zero
    /// The time from the start until the connection was open.
    public var connect = Duration.zero
    /// The time from the start to the end of the TLS handshake; zero without TLS.
    public var secureConnect = Duration.zero
    /// The time from the start until libcurl was about to send the request.
    public var pretransfer = Duration.zero
    /// The time from the start until libcurl had sent the last bytes of the request's body; zero
    /// without any.
    public var lastSent = Duration.zero
    /// The time from the start until the first byte of the response.
    public var firstByte = Duration.zero
    /// The time from the start to the end.
    public var total = Duration.zero
    /// The bytes of all request heads, including those for a proxy.
    public var requestHeadBytes = 0
    /// The bytes of the request's body that libcurl sent.
    public var requestBodyBytes: Int64 = 0
    /// The bytes of the response's heads.
    public var responseHeadBytes = 0
    /// The bytes of the response's body as libcurl received them.
    public var responseBodyBytes: Int64 = 0
    /// The version of HTTP: `http/1.0`, `http/1.1`, `h2`; `nil` if there was no response.
    public var networkProtocol: String?
    /// The connections that libcurl made for the transfer; 0 if it reused an earlier one.
    public var connections = 0
    /// The address of the other end: the proxy's, if there is one.
    public var remoteAddress: String?
    /// The port of the other end.
    public var remotePort = 0
    /// The address of our end.
    public var localAddress: String?
    /// The port of our end.
    public var localPort = 0
    /// The status of a proxy's response to CONNECT; 0 if there was none.
    public var connectStatus = 0
    /// OpenSSL's verdict on the server's certificate, an `X509_V_ERR_…` number.
    public var certificateVerdict = 0
    /// OpenSSL's verdict on the certificate of a proxy over TLS.
    public var proxyCertificateVerdict = 0
    /// The parameters that TLS negotiated with the server; `nil` without TLS.
    public var security: ConnectionSecurity?
    /// The last sent head, byte for byte, if ``TransferRequest/recordsHeads`` is set.
    ///
    /// Over HTTP/2 it is the equivalent head of HTTP/1.1.
    public var requestHead: [UInt8] = []
    /// The received heads and trailers after the last head that the handler received, with the same option.
    public var restOfHeads: [UInt8] = []

    /// Makes metrics without any values.
    public init() {}
}

extension TransferMetrics {
    /// Makes metrics of the values that the session itself needs.
    init(_ handle: borrowing EasyHandle) {
        self.init()
        read(handle)
    }

    private mutating func read(_ handle: borrowing EasyHandle) {
        requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        networkProtocol =
            switch handle.long(CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_1_0: "http/1.0"
            case CURL_HTTP_VERSION_1_1: "http/1.1"
            case CURL_HTTP_VERSION_2_0: "h2"
            default: nil
            }
    }

    /// Sets all values that libcurl counts.
    fileprivate mutating func complete(_ handle: borrowing EasyHandle) {
        read(handle)
        isComplete = true
        nameLookup = .microseconds(handle.offset(CURLINFO_NAMELOOKUP_TIME_T))
        connect = .microseconds(handle.offset(CURLINFO_CONNECT_TIME_T))
        secureConnect = .microseconds(handle.offset(CURLINFO_APPCONNECT_TIME_T))
        pretransfer = .microseconds(handle.offset(CURLINFO_PRETRANSFER_TIME_T))
        // libcurl's own clock starts slightly later than ours.
        total = max(.microseconds(handle.offset(CURLINFO_TOTAL_TIME_T)), firstByte)
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

    /// Converts libcurl's empty text to `nil`.
    private static func text(_ text: String?) -> String? {
        text?.isEmpty == true ? nil : text
    }
}

/// Measures a transfer while it runs, if its caller wants metrics.
///
/// Like its transfer, it belongs to the loop's thread.
final class TransferMeasurements {
    private let start = MonotonicInstant.now
    private var admitted: MonotonicInstant?
    /// The values that libcurl does not count; the rest of heads begins after the last head that the handler
    /// received.
    private var metrics = TransferMetrics()
    /// Whether it keeps all sent and received heads byte for byte.
    let recordsHeads: Bool

    init(recordsHeads: Bool) {
        self.recordsHeads = recordsHeads
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        metrics.begun = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private var sinceAdmission: Duration { admitted.map { MonotonicInstant.now - $0 } ?? .zero }

    /// Notes that the loop adds the transfer to libcurl: libcurl's own clock starts, even for the
    /// second time.
    func admit() {
        let now = MonotonicInstant.now
        admitted = now
        (metrics.waited, metrics.lastSent, metrics.firstByte) = (now - start, .zero, .zero)
    }

    /// Notes that libcurl has sent more of the request's body.
    func noteSent() {
        metrics.lastSent = sinceAdmission
    }

    /// Notes that the connection is open, and that libcurl is about to send the request.
    func note(_ ssl: OpaquePointer, _ handshake: Handshake?) {
        metrics.security = ConnectionSecurity(
            version: Int(SSL_version(ssl)),
            cipherSuite: SSL_get_current_cipher(ssl).map(SSL_CIPHER_get_protocol_id) ?? 0,
            certificates: handshake?.trust?.chain ?? Handshake.chain(of: ssl)
        )
    }

    /// Notes a sent piece of a request's head; a proxy's head precedes the server's.
    func note(sentHead bytes: UnsafeRawBufferPointer) {
        guard recordsHeads else { return }
        if metrics.requestHead.suffix(4).elementsEqual("\r\n\r\n".utf8) { metrics.requestHead = [] }
        metrics.requestHead += bytes
    }

    /// Notes a received line of a head, or one after the body.
    ///
    /// The first line of the server's last head counts as the response's first byte. libcurl notes the
    /// first byte of a request's body instead.
    func note(headLine bytes: UnsafeRawBufferPointer, isConnecting: Bool) {
        if !isConnecting, bytes.starts(with: "HTTP/".utf8) { metrics.firstByte = sinceAdmission }
        if recordsHeads { metrics.restOfHeads += bytes }
    }

    /// The bytes received since the last call.
    func takeHeads() -> [UInt8] {
        defer { metrics.restOfHeads = [] }
        return metrics.restOfHeads
    }

    /// All values, with those that libcurl counts.
    func complete(_ handle: borrowing EasyHandle) -> TransferMetrics {
        if admitted == nil { metrics.waited = MonotonicInstant.now - start }
        metrics.complete(handle)
        return metrics
    }
}

/// The parameters that TLS negotiated for a connection.
public struct ConnectionSecurity: Sendable, Hashable {
    /// The version by its number on the wire: 0x0304 is TLS 1.3.
    public var version: Int
    /// The cipher suite by its number in IANA's registry of TLS.
    public var cipherSuite: UInt16
    /// The certificates in the order in which the server sent them, its own first, each in DER.
    public var certificates: [[UInt8]]
}

import CCurl
import CSSL
import Glibc
import HTTPSemantics

extension HopMetrics {
    /// Sets all values that libcurl counts; its clock has microseconds.
    fileprivate mutating func complete(_ handle: borrowing EasyHandle) {
        nameLookup = handle.offset(CURLINFO_NAMELOOKUP_TIME_T)
        connect = handle.offset(CURLINFO_CONNECT_TIME_T)
        secureConnect = handle.offset(CURLINFO_APPCONNECT_TIME_T)
        requestStart = handle.offset(CURLINFO_PRETRANSFER_TIME_T)
        let isSent = requestStart > 0
        // libcurl's own clock starts slightly later than ours.
        end = max(handle.offset(CURLINFO_TOTAL_TIME_T), responseStart, requestStart)
        requestEnd = isSent ? min(max(requestEnd, requestStart), end) : 0
        if !isSent { responseStart = 0 }
        requestHeadBytes = Int64(handle.long(CURLINFO_REQUEST_SIZE))
        requestBodyBytes = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        responseHeadBytes = Int64(handle.long(CURLINFO_HEADER_SIZE))
        responseBodyBytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        networkProtocolName = isSent ? Self.protocolName(handle) : nil
        connections = handle.long(CURLINFO_NUM_CONNECTS)
        remoteAddress = Self.text(handle.string(CURLINFO_PRIMARY_IP))
        remotePort = Self.port(handle.long(CURLINFO_PRIMARY_PORT))
        localAddress = Self.text(handle.string(CURLINFO_LOCAL_IP))
        localPort = Self.port(handle.long(CURLINFO_LOCAL_PORT))
        connectStatus = handle.long(CURLINFO_HTTP_CONNECTCODE)
        certificateVerdict = handle.long(CURLINFO_SSL_VERIFYRESULT)
        proxyCertificateVerdict = handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
    }

    private static func protocolName(_ handle: borrowing EasyHandle) -> String? {
        switch handle.long(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: "http/1.0"
        case CURL_HTTP_VERSION_1_1: "http/1.1"
        case CURL_HTTP_VERSION_2_0: "h2"
        default: nil
        }
    }

    /// Converts libcurl's empty text to `nil`.
    private static func text(_ text: String?) -> String? {
        text?.isEmpty == true ? nil : text
    }

    /// Converts libcurl's missing port to `nil`.
    private static func port(_ number: Int) -> Int? { number > 0 ? number : nil }
}

/// Measures a transfer while it runs, if its caller wants metrics.
///
/// Like its transfer, it belongs to the loop's thread.
final class TransferMeasurements {
    private let start = MonotonicInstant.now
    private var admitted: MonotonicInstant?
    /// The values that libcurl does not count: until the end, `requestEnd` is the time of the last sent bytes.
    private var metrics = HopMetrics()
    /// The received heads and trailers after the last head that the handler received.
    private var restOfHeads: [UInt8] = []
    /// Whether it keeps all sent and received heads byte for byte.
    let recordsHeads: Bool

    init(recordsHeads: Bool) {
        self.recordsHeads = recordsHeads
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        metrics.begun = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private var sinceAdmission: Int64 {
        admitted.map { Self.microseconds(MonotonicInstant.now - $0) } ?? 0
    }

    /// Whole microseconds, at least 0.
    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// Notes that the loop adds the transfer to libcurl: libcurl's own clock starts, even for the
    /// second time.
    func admit() {
        let now = MonotonicInstant.now
        admitted = now
        metrics.waited = Self.microseconds(now - start)
        (metrics.requestEnd, metrics.responseStart) = (0, 0)
    }

    /// Notes that libcurl has sent more of the request's body.
    func noteSent() {
        metrics.requestEnd = sinceAdmission
    }

    /// Notes that the connection is open, and that libcurl is about to send the request.
    func note(_ ssl: OpaquePointer, _ handshake: Handshake?) {
        metrics.tlsVersion = UInt16(exactly: SSL_version(ssl))
        metrics.tlsCipherSuite = SSL_get_current_cipher(ssl).map(SSL_CIPHER_get_protocol_id) ?? 0
        metrics.certificates = handshake?.trust?.chain ?? Handshake.chain(of: ssl)
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
        if !isConnecting, bytes.starts(with: "HTTP/".utf8) {
            metrics.responseStart = sinceAdmission
        }
        if recordsHeads { restOfHeads += bytes }
    }

    /// The bytes received since the last call.
    func takeHeads() -> [UInt8] {
        defer { restOfHeads = [] }
        return restOfHeads
    }

    /// All values, with those that libcurl counts.
    func complete(_ handle: borrowing EasyHandle) -> HopMetrics {
        if admitted == nil { metrics.waited = Self.microseconds(MonotonicInstant.now - start) }
        var all = metrics
        all.complete(handle)
        return all
    }
}

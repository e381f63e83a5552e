import CSSL
import Glibc

/// What is noted of a transfer while it runs, where somebody wants to know what it cost.
///
/// It is the loop thread's, as its transfer.
final class TransferMeasurements {
    /// The time of day, in microseconds since 1970.
    private let begun: Int64
    private let start: ContinuousClock.Instant
    private var admitted: ContinuousClock.Instant?
    private var lastSent: ContinuousClock.Instant?
    private var answered: ContinuousClock.Instant?
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
        answered = nil
    }

    /// More of the request's body has left.
    func noteSent() {
        lastSent = .now
    }

    /// The connection stands, and the request is about to be sent.
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
    /// The first line of the server's last head counts as the answer's first byte: libcurl takes that
    /// of a request's body for it.
    func note(headLine bytes: UnsafeRawBufferPointer, isConnecting: Bool) {
        if !isConnecting, bytes.starts(with: "HTTP/".utf8) { answered = .now }
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
            if let answered {
                metrics.firstByte = answered - admitted
                // libcurl's own clock starts a little later.
                metrics.total = max(metrics.total, metrics.firstByte)
            }
        }
        metrics.security = security
        metrics.requestHead = requestHead
        metrics.restOfHeads = takeHeads()
    }
}

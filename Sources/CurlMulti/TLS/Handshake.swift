import CCurl
import CSSL

/// Keeps the state of one TLS connection, from its handshake to its end.
///
/// It belongs to the connection's `SSL_CTX`, which libcurl makes for that connection alone, and ends with
/// it. It may outlive the transfer that libcurl made the connection for. Only the loop's thread may use it.
final class Handshake {
    /// The decision about a server.
    enum State {
        case undecided
        case accepted
        case refused
    }

    /// Marks the server's context, since libcurl passes the server's and a proxy's to the same callback.
    ///
    /// We make libcurl allow BEAST for the server alone, and ``begin(_:for:)`` forbids it again.
    static let serverFlag = Int(CURLSSLOPT_ALLOW_BEAST)
    private static let serverOption = shim_no_empty_fragments

    /// Whether the other end is the server, and not a proxy over TLS, which libcurl verifies itself.
    let isServer: Bool
    /// The transfer that waits for the connection; `nil` as soon as libcurl is about to send its request.
    weak var transfer: Transfer?
    var state = State.undecided
    /// The certificates that the server has sent, and their problems; `nil` before that.
    var trust: PeerTrust?
    /// The problems in the order in which OpenSSL finds them.
    var problems: [PeerTrust.Problem] = []
    /// The issuers of the client certificate that the server demands; `nil` if it demands none.
    var wantedIssuers: [[UInt8]]?
    /// Whether the other end has announced the end of its data (close_notify).
    ///
    /// libcurl 7.88.1 puts its own BIO under OpenSSL. OpenSSL then never detects an unexpected end, and
    /// treats any end as a regular one.
    var hasReceivedCloseNotify = false

    private init(isServer: Bool, _ transfer: Transfer) {
        self.isServer = isServer
        self.transfer = transfer
    }

    /// Stores a new record in a new connection's context; `nil` if there is no memory for it.
    static func begin(_ context: OpaquePointer, for transfer: Transfer) -> Handshake? {
        let isServer = SSL_CTX_get_options(context) & serverOption != 0
        let handshake = Handshake(isServer: isServer, transfer)
        let owner = Unmanaged.passRetained(handshake)
        guard SSL_CTX_set_ex_data(context, index, owner.toOpaque()) == 1 else {
            owner.release()
            return nil
        }
        SSL_CTX_set_info_callback(context, onInformation)
        guard isServer else { return handshake }
        SSL_CTX_clear_options(context, serverOption)
        if transfer.request.tls.verifiesServer {
            SSL_CTX_set_cert_verify_callback(context, onVerification, nil)
        }
        if transfer.request.tls.wantsCertificateReport {
            SSL_CTX_set_cert_cb(context, onCertificateWanted, nil)
        }
        return handshake
    }

    /// The record of a connection.
    static func of(_ ssl: OpaquePointer) -> Handshake? {
        guard let context = SSL_get_SSL_CTX(ssl),
            let owner = SSL_CTX_get_ex_data(context, index)
        else { return nil }
        return Unmanaged<Handshake>.fromOpaque(owner).takeUnretainedValue()
    }

    private static let index = shim_context_index { _, owner, _, _, _, _ in
        guard let owner else { return }
        Unmanaged<Handshake>.fromOpaque(owner).release()
    }
}

private let onInformation: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = {
    ssl,
    kind,
    alert in
    guard kind == SSL_CB_READ_ALERT, alert & 0xFF == SSL3_AD_CLOSE_NOTIFY, let ssl else { return }
    Handshake.of(ssl)?.hasReceivedCloseNotify = true
}

private let onVerification: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
    store,
    _ in
    guard let store, let ssl = Handshake.connection(of: store),
        let handshake = Handshake.of(ssl)
    else { return 0 }
    return handshake.verify(store, ssl) ? 1 : 0
}

private let onCertificateWanted:
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 =
        { ssl, _ in
            guard let ssl, let handshake = Handshake.of(ssl), let transfer = handshake.transfer
            else {
                return 1
            }
            handshake.wantedIssuers = Handshake.issuers(ssl)
            // If the handler has not accepted the server yet, we wait for that: we show no certificate,
            // and send no byte.
            if case .undecided = handshake.state, transfer.request.tls.decidesByHandler { return 1 }
            transfer.stop(forCertificateOf: handshake)
            return 0
        }

/// Blocks a connection's output until the handler decides about the server.
extension Handshake {
    /// Blocks all output until the handler has decided.
    func blockOutput(_ output: OpaquePointer) {
        // Unretained: the context that owns this record outlives the connection's output.
        let me = Unmanaged.passUnretained(self).toOpaque()
        BIO_set_callback_arg(output, me.assumingMemoryBound(to: CChar.self))
        BIO_set_callback_ex(output, onOutput)
    }

    /// Whether OpenSSL may write to the connection now.
    fileprivate func mayWrite(to output: OpaquePointer) -> Bool {
        switch state {
        case .accepted: return true
        case .refused: break
        case .undecided:
            guard let transfer, let trust else { break }
            guard let decision = transfer.decision(on: trust) else {
                shim_write_later(output)
                return false
            }
            settle(decision, trust)
            guard case .accepted = state else {
                transfer.stop(refusing: trust)
                break
            }
            if wantedIssuers != nil {
                state = .refused
                transfer.stop(forCertificateOf: self)
                break
            }
            BIO_set_callback_ex(output, nil)
            return true
        }
        shim_write_never(output)
        return false
    }
}

private let onOutput: BIO_callback_fn_ex = { output, operation, _, _, _, _, result, _ in
    guard operation == BIO_CB_WRITE, let output, let owner = BIO_get_callback_arg(output) else {
        return Int(result)
    }
    let handshake = Unmanaged<Handshake>.fromOpaque(owner).takeUnretainedValue()
    return handshake.mayWrite(to: output) ? Int(result) : -1
}

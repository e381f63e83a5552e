import CCurl
import CSSL

/// What is known of one TLS connection, from its handshake to its end.
///
/// It belongs to the connection's `SSL_CTX`, which libcurl makes for it alone, and goes with it: it
/// may outlive the transfer for which the connection was made. Like that it is the loop thread's.
final class Handshake {
    /// What is at the other end.
    enum Peer {
        case server
        /// A proxy that is spoken to with TLS: libcurl itself verifies it, strictly.
        case proxy
    }

    /// What was decided about a server.
    enum State {
        case undecided
        case accepted
        case refused
    }

    /// What distinguishes the server's context from a proxy's, which libcurl hands over alike: for the
    /// server it is told to allow BEAST, and ``begin(_:for:)`` forbids it again.
    static let serverFlag = Int(CURLSSLOPT_ALLOW_BEAST)
    private static let serverOption = shim_no_empty_fragments

    let peer: Peer
    /// The transfer that waits for the connection; `nil` once its request is on its way.
    weak var transfer: Transfer?
    var state = State.undecided
    /// What the server has shown, once it has.
    var trust: PeerTrust?
    /// Problems as OpenSSL comes upon them.
    var problems: [PeerTrust.Problem] = []
    /// The issuers of the client certificate that the server wants, where it wants one.
    var wantedIssuers: [[UInt8]]?
    /// Whether the other end has said that nothing more will come (close_notify).
    ///
    /// libcurl 7.88.1 puts its own BIO under OpenSSL, which then never finds an unexpected end, and takes
    /// any end for a good one.
    var hasReceivedCloseNotify = false

    private init(_ peer: Peer, _ transfer: Transfer) {
        self.peer = peer
        self.transfer = transfer
    }

    /// Puts a record of ours into a new connection's context.
    ///
    /// - Returns: the record; `nil` where there is no memory for it.
    static func begin(_ context: OpaquePointer, for transfer: Transfer) -> Handshake? {
        let isServer = SSL_CTX_get_options(context) & serverOption != 0
        let handshake = Handshake(isServer ? .server : .proxy, transfer)
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
            // Where the server is not trusted yet that goes first: none is shown, and nothing leaves.
            if case .undecided = handshake.state, transfer.request.tls.decidesByHandler { return 1 }
            transfer.stop(forCertificateOf: handshake)
            return 0
        }

/// What keeps a connection silent until it is decided whether its server is to be spoken to.
extension Handshake {
    /// Lets nothing out any more until the handler has decided.
    func holdBack(_ output: OpaquePointer) {
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

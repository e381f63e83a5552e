import CCurl
import CSSL

/// What a server has shown of itself, and what OpenSSL has against it.
public struct PeerTrust: Sendable, Hashable {
    /// Something that is wrong with a certificate.
    public struct Problem: Sendable, Hashable {
        /// OpenSSL's number, `X509_V_ERR_…`.
        public let number: Int
        /// OpenSSL's words.
        public let words: String
        /// Which certificate of the chain that was tried: 0 is the server's own.
        public let depth: Int
    }

    /// The host that was wanted, as the certificate has to name it.
    public let host: String
    /// The certificates as the server sent them, its own first, each in DER.
    public let chain: [[UInt8]]
    /// All that is wrong, the gravest first; empty where the server is to be trusted.
    public let problems: [Problem]
}

/// What becomes of a server after it has shown its certificates.
public enum TrustDecision: Sendable, Hashable {
    /// What OpenSSL says.
    case byVerdict
    /// It is trusted.
    case accept
    /// It is not.
    case refuse
}

/// What a transfer knows of its connection's TLS.
struct TLSProgress {
    /// The server's handshake, while the connection is being made.
    var handshake: Handshake?
    /// The connection that the request was sent over, where it has TLS.
    var connection: Handshake?
    /// What the server has shown of itself.
    var trust: PeerTrust?
    /// The trusted certificates, where libcurl does not load them.
    var bundle: CertificateBundle?
}

/// What a transfer has to do with its connection's TLS.
extension Transfer {
    /// libcurl has made the context of a new connection, the server's or a proxy's.
    func beginHandshake(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let context, let begun = Handshake.begin(OpaquePointer(context), for: self) else {
            return false
        }
        if case .server = begun.peer { tls.handshake = begun }
        guard let bundle = tls.bundle, begun.peer == .proxy || request.tls.verifiesServer else {
            return true
        }
        return bundle.attach(
            to: OpaquePointer(context),
            beside: request.tls.certificateAuthorityFolder
        )
    }

    /// The connection is no longer made for this transfer, which goes on, or has ended.
    func leaveHandshake() {
        tls.handshake?.transfer = nil
        tls.handshake = nil
        endDeciding()
    }

    /// What the handler says of a server; `nil`: nothing yet.
    func decision(on trust: PeerTrust) -> TrustDecision? {
        guard request.tls.decidesByHandler else { return .byVerdict }
        guard let decision = handler.didReceive(trust) else {
            beginDeciding()
            return nil
        }
        endDeciding()
        return decision
    }

    /// The handler is asked about the server, and the connection waits for it.
    private func beginDeciding() {
        guard pauses.insert(.deciding).inserted else { return }
        shared.deciding += 1
        // libcurl's clock knows of no question; what is left of the handshake is the idle clock's.
        _ = try? slot.handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }

    /// Ends `beginDeciding`.
    private func endDeciding() {
        guard pauses.remove(.deciding) != nil else { return }
        shared.deciding -= 1
        touch()
    }

    /// The server wants a certificate, and there is none: only a new handshake can show one.
    func stop(forCertificateOf handshake: Handshake) {
        stopReason = TransferFailure(
            .clientCertificateWanted(issuers: handshake.wantedIssuers ?? []),
            detail: "the server requires a client certificate"
        )
    }

    /// The handler has refused the server in the middle of the handshake.
    func stop(refusing trust: PeerTrust) {
        let words = trust.problems.first?.words ?? "application verification failure"
        var failure = TransferFailure(
            .curl(.peerFailedVerification),
            detail: "SSL certificate problem: \(words)"
        )
        failure.certificateVerdict = Handshake.verdict(trust)
        failure.trust = trust
        stopReason = failure
    }

    /// libcurl has a connection and is about to send the request.
    ///
    /// - Returns: whether the server is one to send it to.
    func mayBeginRequest() -> Bool {
        let ssl = shim_getinfo_ssl(slot.handle.pointer).map { OpaquePointer($0) }
        tls.connection = ssl.flatMap { Handshake.of($0) }
        leaveHandshake()
        guard request.isSecure else { return true }
        if let ssl { measurements?.note(ssl, tls.connection) }
        if let ssl, let connection = tls.connection, connection.isTrusted(ssl, by: self) {
            return true
        }
        stopReason = TransferFailure(
            .curl(.peerFailedVerification),
            detail: "the server's certificate was not verified"
        )
        return false
    }

    /// Whether the response's end was nothing but the connection's, and TLS does not vouch for that
    /// ([RFC 9112 §9.8](https://www.rfc-editor.org/rfc/rfc9112#section-9.8)).
    var mayBeCutShort: Bool {
        guard let connection = tls.connection, response.endsWithConnection else { return false }
        return !connection.hasReceivedCloseNotify
    }
}

import CCurl
import CSSL
import HTTPSemantics

/// The certificates that a server has sent, and the problems that OpenSSL has found in them.
package struct PeerTrust: Sendable, Hashable {
    package struct Problem: Sendable, Hashable {
        /// OpenSSL's number, `X509_V_ERR_…`.
        package let number: Int
        /// OpenSSL's text.
        package let words: String
        /// The certificate's position in the chain that OpenSSL tried: 0 is the server's own.
        package let depth: Int
    }

    /// The host that the certificate must name.
    package let host: String
    /// The certificates as the server sent them, its own first, each in DER.
    package let chain: [[UInt8]]
    /// All problems, the gravest first; empty if OpenSSL trusts the server.
    package let problems: [Problem]
}

/// The TLS state of a transfer's connection.
struct TLSProgress {
    /// The server's handshake, while libcurl makes the connection.
    var handshake: Handshake?
    /// The TLS connection that libcurl sent the request over; `nil` without TLS.
    var connection: Handshake?
    /// The certificates that the server has sent, and their problems.
    var trust: PeerTrust?
    /// The trusted certificates; `nil` if libcurl loads them.
    var bundle: CertificateBundle?
}

/// Handles the TLS events of a transfer's connection.
extension Transfer {
    /// Notes that libcurl has made the context of a new connection to the server or to a proxy.
    func beginHandshake(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let context, let begun = Handshake.begin(OpaquePointer(context), for: self) else {
            return false
        }
        if begun.isServer { tls.handshake = begun }
        guard let bundle = tls.bundle, !begun.isServer || request.tls.verifiesServer else {
            return true
        }
        return bundle.attach(
            to: OpaquePointer(context),
            beside: request.tls.certificateAuthorityFolder
        )
    }

    /// Notes that libcurl no longer makes the connection for this transfer, which continues or has ended.
    func detachHandshake() {
        tls.handshake?.transfer = nil
        tls.handshake = nil
        endDeciding()
    }

    /// The handler's decision about a server; `nil`: none yet.
    func decision(on trust: PeerTrust) -> TrustDecision? {
        guard request.tls.decidesByHandler else { return .byVerdict }
        guard let decision = handler.didReceive(trust) else {
            beginDeciding()
            return nil
        }
        endDeciding()
        return decision
    }

    /// Notes that the connection waits for the handler's decision about the server.
    private func beginDeciding() {
        guard pauses.insert(.deciding).inserted else { return }
        shared.deciding += 1
        // libcurl's clock would count the decision's time; so the idle clock alone limits the rest of
        // the handshake.
        _ = try? slot.handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }

    /// Ends the effect of `beginDeciding`.
    private func endDeciding() {
        guard pauses.remove(.deciding) != nil else { return }
        shared.deciding -= 1
        touch()
    }

    /// Ends the transfer, since the server demands a certificate that only a new handshake can show.
    func stop(forCertificateOf handshake: Handshake) {
        stopReason = TransferFailure(
            .clientCertificateWanted(issuers: handshake.wantedIssuers ?? []),
            detail: "the server requires a client certificate"
        )
    }

    /// Ends the transfer, since the handler has refused the server in the middle of the handshake.
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

    /// Notes that libcurl has a connection; returns whether it may send the request to this server.
    func mayBeginRequest() -> Bool {
        let ssl = shim_getinfo_ssl(slot.handle.pointer).map { OpaquePointer($0) }
        tls.connection = ssl.flatMap { Handshake.of($0) }
        detachHandshake()
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

    /// Whether only the connection's end ended the response, and no TLS close confirms that end ([RFC 9112
    /// §9.8](https://www.rfc-editor.org/rfc/rfc9112#section-9.8)).
    var mayBeCutShort: Bool {
        guard let connection = tls.connection, response.endsWithConnection else { return false }
        return !connection.hasReceivedCloseNotify
    }
}

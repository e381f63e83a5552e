import CSSL
import Glibc

/// Verifies the server's identity: OpenSSL's verdict, and then the handler's.
extension Handshake {
    /// The most problems that are reported.
    private static let mostProblems = 16

    /// Called once the server has shown its certificates.
    ///
    /// OpenSSL can be asked to verify later, but libcurl 7.88.1 takes that for a failure. So
    /// while the handler has no decision, verification succeeds, and no byte is sent until there
    /// is one. The server receives nothing between its certificate and the decision.
    ///
    /// - Returns: whether the handshake may go on.
    func verify(_ store: OpaquePointer, _ ssl: OpaquePointer) -> Bool {
        guard let transfer else {
            // A handshake within a connection that was accepted shows the same certificate again.
            guard case .accepted = state, let shown = Self.chain(store).first,
                shown == trust?.chain.first
            else { return false }
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return true
        }
        let trust = inspect(store, ssl, transfer)
        self.trust = trust
        transfer.tls.trust = trust
        if let decision = transfer.decision(on: trust) {
            settle(decision, trust)
        } else {
            guard let output = SSL_get_wbio(ssl) else { return false }
            holdBack(output)
        }
        // Of what was accepted this way nothing is used before `isTrusted` has seen it.
        let isRefused = state == .refused
        X509_STORE_CTX_set_error(store, isRefused ? Int32(Self.verdict(trust)) : X509_V_OK)
        return !isRefused
    }

    /// What is reported where a server is refused: what OpenSSL has against it, or the handler.
    static func verdict(_ trust: PeerTrust) -> Int {
        trust.problems.first?.number ?? Int(X509_V_ERR_APPLICATION_VERIFICATION)
    }

    func settle(_ decision: TrustDecision, _ trust: PeerTrust) {
        state =
            switch decision {
            case .byVerdict: trust.problems.isEmpty ? .accepted : .refused
            case .accept: .accepted
            case .refuse: .refused
            }
    }

    /// Whether a request may be sent over the connection.
    ///
    /// The last look, since a hole above, or in a library below, would else stay unseen.
    func isTrusted(_ ssl: OpaquePointer, by transfer: Transfer) -> Bool {
        guard transfer.request.tls.verifiesServer else { return true }
        guard peer == .server, SSL_get_verify_result(ssl) == X509_V_OK else { return false }
        if case .accepted = state { return true }
        // An earlier handshake is gone on with, and libcurl has compared the host.
        return !transfer.request.tls.decidesByHandler && SSL_session_reused(ssl) == 1
    }

    private func inspect(
        _ store: OpaquePointer,
        _ ssl: OpaquePointer,
        _ transfer: Transfer
    ) -> PeerTrust {
        let host = Self.wantedHost(ssl, transfer)
        let hasHost = Self.demand(host, of: store)
        X509_STORE_CTX_set_verify_cb(store) { isFine, store in
            if isFine != 1, let store, let ssl = Handshake.connection(of: store) {
                Handshake.of(ssl)?.note(store)
            }
            // Go on: what is wrong besides counts too.
            return 1
        }
        problems = []
        let isFine = X509_verify_cert(store) == 1
        if !hasHost { note(Int(X509_V_ERR_HOSTNAME_MISMATCH), depth: 0) }
        if !isFine, problems.isEmpty {
            let number = Int(X509_STORE_CTX_get_error(store))
            let unspecified = Int(X509_V_ERR_UNSPECIFIED)
            note(number == X509_V_OK ? unspecified : number, depth: 0)
        }
        return PeerTrust(host: host, chain: Self.chain(store), problems: Self.ordered(problems))
    }

    private func note(_ store: OpaquePointer) {
        note(
            Int(X509_STORE_CTX_get_error(store)),
            depth: Int(X509_STORE_CTX_get_error_depth(store))
        )
    }

    private func note(_ number: Int, depth: Int) {
        let words = X509_verify_cert_error_string(number).map { String(cString: $0) } ?? ""
        let problem = PeerTrust.Problem(number: number, words: words, depth: depth)
        guard problems.count < Self.mostProblems, !problems.contains(problem) else { return }
        problems.append(problem)
    }

    /// The gravest first: an unknown issuer or a malformed certificate, another host's, another time.
    private static func ordered(_ problems: [PeerTrust.Problem]) -> [PeerTrust.Problem] {
        func gravity(_ problem: PeerTrust.Problem) -> Int {
            switch Int32(truncatingIfNeeded: problem.number) {
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: 1
            case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: 2
            default: 0
            }
        }
        let issuerIsMissing = problems.contains {
            $0.number == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        }
        // What follows from a missing issuer says nothing more.
        let relevant = problems.filter {
            !issuerIsMissing || $0.number != X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
        }
        return (0...2).flatMap { rank in relevant.filter { gravity($0) == rank } }
    }
}

extension Handshake {
    /// The connection whose server is being verified.
    static func connection(of store: OpaquePointer) -> OpaquePointer? {
        let index = SSL_get_ex_data_X509_STORE_CTX_idx()
        return X509_STORE_CTX_get_ex_data(store, index).map { OpaquePointer($0) }
    }

    /// What the server was asked for by name, in which libcurl has encoded it; an address is not
    /// sent, and is in the URL.
    private static func wantedHost(_ ssl: OpaquePointer, _ transfer: Transfer) -> String {
        if let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) {
            return String(cString: name)
        }
        // libcurl takes an address in any of inet_aton(3)'s forms.
        var address = in_addr()
        let host = transfer.request.host
        guard !host.contains(":"), inet_aton(host, &address) == 1 else {
            return String(host.prefix { $0 != "%" })
        }
        return withUnsafeBytes(of: address) { $0.map(String.init).joined(separator: ".") }
    }

    /// Has OpenSSL compare the host too.
    private static func demand(_ host: String, of store: OpaquePointer) -> Bool {
        let parameters = X509_STORE_CTX_get0_param(store)
        // OpenSSL takes a name that begins with a dot for all below it.
        guard !host.isEmpty, host.utf8.first != UInt8(ascii: ".") else { return false }
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        X509_VERIFY_PARAM_set_hostflags(parameters, flags)
        return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
    }

    private static func chain(_ store: OpaquePointer) -> [[UInt8]] {
        X509_STORE_CTX_get0_untrusted(store).map(certificates) ?? []
    }

    /// The certificates that a server has shown, its own first, each in DER.
    static func chain(of ssl: OpaquePointer) -> [[UInt8]] {
        SSL_get_peer_cert_chain(ssl).map(certificates) ?? []
    }

    private static func certificates(_ chain: OpaquePointer) -> [[UInt8]] {
        (0..<max(0, shim_certificate_count(chain))).compactMap { index in
            guard let certificate = shim_certificate(chain, index) else { return nil }
            return bytes { i2d_X509(certificate, $0) }
        }
    }

    /// The issuers whose client certificates the server accepts, each a name in DER.
    static func issuers(_ ssl: OpaquePointer) -> [[UInt8]] {
        guard let names = SSL_get0_peer_CA_list(ssl) else { return [] }
        return (0..<max(0, shim_name_count(names))).compactMap { index in
            guard let name = shim_name(names, index) else { return nil }
            return bytes { i2d_X509_NAME(name, $0) }
        }
    }

    /// What one of OpenSSL's encoders writes.
    static func bytes(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8]? {
        let count = Int(encode(nil))
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            var end = buffer.baseAddress
            written = Int(max(0, encode(&end)))
        }
    }
}

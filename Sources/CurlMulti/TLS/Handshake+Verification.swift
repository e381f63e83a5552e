import CSSL
import Glibc
import HTTPSemantics

/// Verifies the server's identity: OpenSSL's verdict, and then the handler's.
extension Handshake {
    /// The maximum number of problems that we report.
    private static let maximumProblems = 16

    /// OpenSSL calls it as soon as the server has sent its certificates; returns whether it may continue.
    ///
    /// OpenSSL offers to verify later, but libcurl 7.88.1 treats that as a failure. So while the handler
    /// has no decision, verification succeeds, but we send no byte before the decision. The server
    /// receives nothing between its certificate and the decision.
    func verify(_ store: OpaquePointer, _ ssl: OpaquePointer) -> Bool {
        guard let transfer else {
            // A later handshake within an accepted connection must show the same certificate again.
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
            blockOutput(output)
        }
        // `isTrusted` checks every connection that this accepts before libcurl sends a request over it.
        let isRefused = state == .refused
        X509_STORE_CTX_set_error(store, isRefused ? Int32(Self.verdict(trust)) : X509_V_OK)
        return !isRefused
    }

    /// The reason for a refusal of a server: OpenSSL's gravest problem, or the handler's decision.
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

    /// Whether libcurl may send a request over the connection.
    ///
    /// This is the final check: without it, an error in other code or in a library would stay undetected.
    func isTrusted(_ ssl: OpaquePointer, by transfer: Transfer) -> Bool {
        guard transfer.request.tls.verifiesServer else { return true }
        guard isServer, SSL_get_verify_result(ssl) == X509_V_OK else { return false }
        if case .accepted = state { return true }
        // OpenSSL has resumed an earlier session, and libcurl has compared the host.
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
            // We continue, since we report the other problems too.
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
        guard problems.count < Self.maximumProblems, !problems.contains(problem) else { return }
        problems.append(problem)
    }

    /// Orders problems by severity: an unknown issuer or a malformed certificate, a wrong host, a wrong time.
    private static func ordered(_ problems: [PeerTrust.Problem]) -> [PeerTrust.Problem] {
        func severity(_ problem: PeerTrust.Problem) -> Int {
            switch Int32(truncatingIfNeeded: problem.number) {
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: 1
            case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED: 2
            default: 0
            }
        }
        let issuerIsMissing = problems.contains {
            $0.number == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        }
        // The problems that follow from a missing issuer add no information.
        let relevant = problems.filter {
            !issuerIsMissing || $0.number != X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
        }
        return (0...2).flatMap { rank in relevant.filter { severity($0) == rank } }
    }
}

extension Handshake {
    /// The connection that OpenSSL verifies the server of.
    static func connection(of store: OpaquePointer) -> OpaquePointer? {
        let index = SSL_get_ex_data_X509_STORE_CTX_idx()
        return X509_STORE_CTX_get_ex_data(store, index).map { OpaquePointer($0) }
    }

    /// The host that the certificate must name: the name that libcurl has sent, or else the URL's address.
    private static func wantedHost(_ ssl: OpaquePointer, _ transfer: Transfer) -> String {
        if let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) {
            return String(cString: name)
        }
        // libcurl accepts an address in any of inet_aton(3)'s forms.
        var address = in_addr()
        let host = transfer.request.host
        guard !host.contains(":"), inet_aton(host, &address) == 1 else {
            return String(host.prefix { $0 != "%" })
        }
        return withUnsafeBytes(of: address) { $0.map(String.init).joined(separator: ".") }
    }

    /// Makes OpenSSL compare the host too.
    private static func demand(_ host: String, of store: OpaquePointer) -> Bool {
        let parameters = X509_STORE_CTX_get0_param(store)
        // For a name that begins with a dot, OpenSSL accepts all names below it.
        guard !host.isEmpty, host.utf8.first != UInt8(ascii: ".") else { return false }
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        X509_VERIFY_PARAM_set_hostflags(parameters, flags)
        return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
    }

    private static func chain(_ store: OpaquePointer) -> [[UInt8]] {
        X509_STORE_CTX_get0_untrusted(store).map(certificates) ?? []
    }

    /// The certificates that a server has sent, its own first, each in DER.
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

    /// The bytes that one of OpenSSL's encoders writes.
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

extension Squid {
    /// A port of the proxy, and the authentication that it requires.
    public enum Listener: String, CaseIterable, Sendable {
        /// Every client is accepted.
        case open
        /// Basic.
        case basic
        /// Digest with `qop=auth`; Basic is refused with 403.
        ///
        /// After five requests a nonce is met with `stale=true`, as with `basicAndDigest`.
        case digest
        /// Basic or Digest, both offered at once.
        case basicAndDigest
        /// Negotiate with a Kerberos ticket.
        case negotiate
        /// No client is accepted: 403.
        case refusing
        /// Over TLS; every client is accepted.
        case tls
        /// Over TLS; Basic.
        case tlsBasic

        /// Whether one talks TLS to the proxy itself; with the good certificate.
        public var hasTLS: Bool { self == .tls || self == .tlsBasic }

        /// What squid calls the ways it offers.
        var schemes: String? {
            switch self {
            case .open, .refusing, .tls: nil
            case .basic, .tlsBasic: "basic"
            case .digest: "digest"
            case .basicAndDigest: "basic,digest"
            case .negotiate: "negotiate"
            }
        }
    }
}

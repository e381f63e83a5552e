extension Squid {
    /// A port of the proxy, and the authentication that it requires.
    public enum Listener: String, CaseIterable, Sendable {
        /// The proxy accepts every client.
        case open
        /// Basic.
        case basic
        /// Digest with `qop=auth`; the proxy refuses Basic with 403.
        ///
        /// After five requests the proxy refuses a nonce with `stale=true`, as with `basicAndDigest`.
        case digest
        /// Basic or Digest, both offered at once.
        case basicAndDigest
        /// Negotiate with a Kerberos ticket.
        case negotiate
        /// The proxy refuses every client with 403.
        case refusing
        /// Over TLS; the proxy accepts every client.
        case tls
        /// Over TLS; Basic.
        case tlsBasic

        /// Whether the client talks TLS to the proxy itself; with the good certificate.
        public var hasTLS: Bool { self == .tls || self == .tlsBasic }

        /// squid's names of the offered schemes.
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

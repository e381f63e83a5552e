// Server trust, and client certificates.
extension URLSessionConfiguration {
    /// Which servers receive a Kerberos ticket after a Negotiate challenge.
    ///
    /// No server receives one after a redirect to another origin over plain HTTP. A proxy always
    /// receives one after its challenge.
    public struct TicketUse: Codable, Sendable, Hashable {
        /// Whether servers of the user's own realm receive one.
        ///
        /// These are the hosts that `[domain_realm]` in `krb5.conf` assigns to the realm, and the host
        /// whose name is the realm's in lower case, with all hosts below it.
        ///
        /// The realm is that of the user's ticket, or else `default_realm`. Default: `true`.
        public var includesOwnRealm = true
        /// Hosts that receive one, whatever their realm; `.example.com` is each host below `example.com`.
        public var hosts: [String] = []

        /// Includes the user's own realm, and no other host.
        public init() {}
    }

    /// Whether the session uses only TLS for hosts that have demanded TLS ([RFC
    /// 6797](https://www.rfc-editor.org/rfc/rfc6797)).
    public enum StrictTransportSecurity: Sendable, Hashable {
        /// Enabled; the session stores the hosts in `PROGRAM/hsts` in `XDG_STATE_HOME`, or else
        /// `~/.local/state` (see ``URLSessionConfiguration/programIdentifier``); for an ephemeral session,
        /// in memory.
        case automatic
        /// Enabled; the session stores the hosts in this file, in curl's format.
        case file(String)
        /// Disabled.
        case none
    }

    /// The servers that TLS trusts.
    public struct ServerTrust: Sendable, Hashable {
        /// A file of trusted certificates in PEM format, instead of the system's.
        public var certificateAuthorityFile: String?
        /// A folder of trusted certificates as `openssl rehash` creates it, instead of the system's.
        public var certificateAuthorityFolder: String?
        /// A file of revocation lists in PEM format.
        public var revocationListFile: String?
        /// The public key that a server must have: a file, or `sha256//BASE64` hashes separated by `;`.
        public var pinnedPublicKey: String?
        /// Whether a server must prove its identity.
        public var verifiesServer = true

        /// Trusts the system's certificates.
        public init() {}
    }

    /// A client certificate and its key.
    public struct ClientCertificate: Codable, Sendable, Hashable {
        /// The format of a certificate's file.
        public enum Format: String, Codable, Sendable, Hashable, CaseIterable {
            /// Base64 between header lines.
            case pem = "PEM"
            /// Binary.
            case der = "DER"
            /// PKCS#12: certificate and key in one file.
            case pkcs12 = "P12"
        }

        /// The file of the certificate.
        public var file: String
        /// The format of the certificate's file.
        public var format: Format
        /// The file of the private key; `nil`: the certificate's file.
        public var keyFile: String?

        /// Creates a certificate from its files.
        public init(file: String, format: Format = .pem, keyFile: String? = nil) {
            self.file = file
            self.format = format
            self.keyFile = keyFile
        }
    }
}

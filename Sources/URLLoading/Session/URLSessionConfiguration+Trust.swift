// Whom a session trusts, and what it shows of itself.
extension URLSessionConfiguration {
    /// Which servers get a Kerberos ticket when they ask for one.
    ///
    /// No server gets one after a redirect to another origin over plain HTTP. A proxy that asks always
    /// gets one.
    public struct TicketUse: Codable, Sendable, Hashable {
        /// Whether servers of the user's own realm get one.
        ///
        /// These are the hosts that `[domain_realm]` in `krb5.conf` assigns to it. A host is one too if its
        /// name is the realm's in lower case, or below that.
        ///
        /// The realm is that of the ticket at hand, or else `default_realm`. Default: `true`.
        public var includesOwnRealm = true
        /// Hosts that get one, whatever their realm is; `.example.com` is each host below `example.com`.
        public var hosts: [String] = []

        /// The user's own realm, and no other host.
        public init() {}
    }

    /// Whether hosts that have asked for it are reached over TLS only
    /// ([RFC 6797](https://www.rfc-editor.org/rfc/rfc6797)).
    public enum StrictTransportSecurity: Sendable, Hashable {
        /// They are, and are stored in `PROGRAM/hsts` in `XDG_STATE_HOME`, or else
        /// `~/.local/state` (see ``URLSessionConfiguration/programIdentifier``); of an ephemeral session in
        /// memory, for as long as it is there.
        case automatic
        /// They are, and are stored in this file, in curl's format.
        case file(String)
        /// Their request is ignored.
        case none
    }

    /// The servers that TLS trusts.
    public struct ServerTrust: Sendable, Hashable {
        /// A file of trusted certificates in PEM form, in place of the system's.
        public var certificateAuthorityFile: String?
        /// A folder of trusted certificates as `openssl rehash` makes it, in place of the system's.
        public var certificateAuthorityFolder: String?
        /// A file of revoked certificates in PEM form.
        public var revocationListFile: String?
        /// The public key a server must have: a file, or `sha256//BASE64` ones separated by `;`.
        public var pinnedPublicKey: String?
        /// Whether a server must prove its identity.
        public var verifiesServer = true

        /// The system's trust.
        public init() {}
    }

    /// A client certificate and its key.
    public struct ClientCertificate: Codable, Sendable, Hashable {
        /// How a certificate's file is written.
        public enum Format: String, Codable, Sendable, Hashable, CaseIterable {
            /// Base64 between lines of dashes.
            case pem = "PEM"
            /// Binary.
            case der = "DER"
            /// PKCS#12: certificate and key in one.
            case pkcs12 = "P12"
        }

        /// The file of the certificate.
        public var file: String
        /// How the file is written.
        public var format: Format
        /// The file of the private key; `nil`: it is in the certificate's file.
        public var keyFile: String?

        /// Names the files.
        public init(file: String, format: Format = .pem, keyFile: String? = nil) {
            self.file = file
            self.format = format
            self.keyFile = keyFile
        }
    }
}

/// What TLS must be, and which certificates it trusts.
public struct TLSOptions: Sendable, Hashable {
    /// The versions of TLS, in their order.
    public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// TLS 1.0 (RFC 2246).
        case tls10 = 10
        /// TLS 1.1 (RFC 4346).
        case tls11 = 11
        /// TLS 1.2 (RFC 5246).
        case tls12 = 12
        /// TLS 1.3 (RFC 8446).
        case tls13 = 13

        /// The older one is less.
        public static func < (one: Version, other: Version) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// The oldest version that may be spoken; `nil`: the TLS library's own minimum.
    public var minimumVersion: Version?
    /// The newest version that may be spoken; `nil`: the newest there is.
    public var maximumVersion: Version?
    /// A file of trusted certificates in PEM form; `nil`: none.
    public var certificateAuthorityFile: String?
    /// A folder of trusted certificates under hashed names, as `openssl rehash` makes it.
    public var certificateAuthorityFolder: String?
    /// A file of revoked certificates in PEM form.
    public var revocationListFile: String?
    /// Whether the server must prove its identity.
    public var verifiesServer = true
    /// Whether the handler has the last word about a server that is verified:
    /// ``TransferHandler/didReceive(_:)-(PeerTrust)``.
    public var asksAboutServer = false
    /// Whether a server that wants a client certificate, where there is none, ends the transfer
    /// with ``TransferFailure/Reason/clientCertificateWanted(issuers:)``; else it gets none.
    public var reportsWantedCertificate = false
    /// The key the server must have, as in CURLOPT_PINNEDPUBLICKEY(3).
    public var pinnedPublicKey: String?
    /// The cipher suites of TLS 1.2 and before, in OpenSSL's spelling.
    public var cipherList: String?
    /// The client's own certificate.
    public var clientCertificate: ClientCertificate?

    /// Whether the handler has the last word, since the server is verified at all.
    var decidesByHandler: Bool { verifiesServer && asksAboutServer }

    /// Whether there is no client certificate, and the handler hears where one is wanted.
    var wantsCertificateReport: Bool { reportsWantedCertificate && clientCertificate == nil }

    /// The TLS library's defaults; no certificate is trusted.
    public init() {}

    /// A client certificate and its key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The file of the certificate.
        public var file: String
        /// How the file is written: `PEM`, `DER` or `P12`.
        public var format: String
        /// The file of the private key; `nil`: it is in the certificate's file.
        public var keyFile: String?
        /// The pass phrase of the key, or of all where the format is `P12`.
        public var keyPassword: KeyPassword?

        /// Names the files.
        public init(file: String, format: String, keyFile: String?, keyPassword: KeyPassword?) {
            self.file = file
            self.format = format
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }
}

/// A pass phrase, which never shows itself.
public struct KeyPassword: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let text: String

    /// Keeps a pass phrase.
    public init(_ text: String) {
        self.text = text
    }

    /// Never the pass phrase.
    public var description: String { "(redacted)" }
    /// Without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

package import HTTPSemantics

/// Defines the TLS versions and keys of a transfer, and the certificates that it trusts.
package struct TLSOptions: Sendable, Hashable {
    /// The oldest version that libcurl may use, by its number on the wire (RFC 8446 §4.2.1: 0x0303 is TLS 1.2);
    /// `nil`: the TLS library's own minimum.
    package var minimumVersion: UInt16?
    /// The newest version that libcurl may use; `nil`: the TLS library's newest.
    package var maximumVersion: UInt16?
    /// A file of trusted certificates in PEM form; `nil`: none.
    package var certificateAuthorityFile: String?
    /// A folder of trusted certificates under hashed names, as `openssl rehash` makes it.
    package var certificateAuthorityFolder: String?
    /// A file of certificate revocation lists in PEM form.
    package var revocationListFile: String?
    /// Whether the server must prove its identity.
    package var verifiesServer = true
    /// Whether the handler makes the final decision about a server that TLS verifies.
    ///
    /// The loop calls ``TransferHandler/didReceive(_:)-(PeerTrust)`` for it.
    package var asksAboutServer = false
    /// Whether a transfer ends when a server demands a client certificate and there is none.
    ///
    /// It ends with ``TransferFailure/Reason/clientCertificateWanted(issuers:)``; otherwise the client
    /// sends no certificate.
    package var reportsWantedCertificate = false
    /// The key that the server must have, as in CURLOPT_PINNEDPUBLICKEY(3).
    package var pinnedPublicKey: String?
    /// The cipher suites of TLS 1.2 and before, in OpenSSL's spelling.
    package var cipherList: String?
    package var clientCertificate: ClientCertificate?

    /// Whether the handler makes the final decision; never `true` if TLS does not verify the server.
    var decidesByHandler: Bool { verifiesServer && asksAboutServer }

    /// Whether there is no client certificate, and the handler wants a report if the server demands one.
    var wantsCertificateReport: Bool { reportsWantedCertificate && clientCertificate == nil }

    package init() {}

    /// A client certificate and its key.
    package struct ClientCertificate: Sendable, Hashable {
        package var file: String
        /// The format of the file: `PEM`, `DER` or `P12`.
        package var format: String
        /// The file of the private key; `nil` if the certificate's file contains it.
        package var keyFile: String?
        /// The pass phrase of the key, or of the whole file if the format is `P12`.
        package var keyPassword: Secret?

        package init(file: String, format: String, keyFile: String?, keyPassword: Secret?) {
            self.file = file
            self.format = format
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }
}

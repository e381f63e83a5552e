/// Certificates for tests, made once per test process by the `openssl` command.
///
/// All keys are EC P-256. The server certificates name `localhost`, `127.0.0.1` and `::1`, except
/// `wrongHost`.
public final class Certificates: Sendable {
    private static let made = Result { try Certificates() }

    /// The certificates of this test process.
    ///
    /// - Throws: `TestSupportError` when `openssl` is missing or fails.
    public static var shared: Certificates {
        get throws { try made.get() }
    }

    /// A certificate and its private key, in PEM files unless stated otherwise.
    public struct Pair: Sendable {
        /// The path of the certificate.
        public let certificate: String
        /// The path of the private key, which has no passphrase.
        public let key: String
    }

    /// The folder of all files below.
    public let folder: TemporaryFolder
    /// The path of the test authority's certificate.
    public let authority: String
    /// The path of a folder with the authority's certificate under its hash, for `CApath`.
    public let authorityFolder: String
    /// The path of another authority's certificate, which has signed `otherClient` only.
    public let otherAuthority: String
    /// The path of a list that revokes `revoked` and nothing else.
    public let revocationList: String
    /// A server's valid certificate.
    public let server: Pair
    /// A self-signed certificate.
    public let selfSigned: Pair
    /// A certificate that was valid from 2020-01-01 to 2020-02-01.
    public let expired: Pair
    /// A valid certificate for `wrong.example` only.
    public let wrongHost: Pair
    /// A valid certificate that `revocationList` revokes.
    public let revoked: Pair
    /// A client's valid certificate; its common name is `client`.
    public let client: Pair
    /// A client's certificate of `otherAuthority`.
    public let otherClient: Pair
    /// The client's certificate and private key in DER.
    public let clientDER: Pair
    /// The path of the client's private key, encrypted with `clientPassphrase`.
    public let clientEncryptedKey: String
    /// The path of the client's certificate and key as PKCS #12, with `clientPassphrase`.
    public let clientPKCS12: String
    /// The passphrase of the two files above.
    public let clientPassphrase = "open sesame"
    /// The pin of `server`'s public key, as curl spells it: `sha256//BASE64`.
    public let serverPin: String

    private init() throws {
        _ = try Spawn.find("openssl")
        let folder = try TemporaryFolder("certificates")
        Janitor.shared.deleteAtExit(folder)
        try folder.write(Self.configuration, to: "openssl.cnf")
        try Tool.run(Self.script, arguments: [clientPassphrase], in: folder)

        func pair(_ name: String) -> Pair {
            Pair(certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"))
        }
        self.folder = folder
        authority = folder.path("authority.pem")
        authorityFolder = folder.path("hashed")
        otherAuthority = folder.path("other-authority.pem")
        revocationList = folder.path("revoked.crl")
        server = pair("server")
        selfSigned = pair("self-signed")
        expired = pair("expired")
        wrongHost = pair("wrong-host")
        revoked = pair("revoked")
        client = pair("client")
        otherClient = pair("other-client")
        clientDER = Pair(certificate: folder.path("client.der"), key: folder.path("client.key.der"))
        clientEncryptedKey = folder.path("client.encrypted.key")
        clientPKCS12 = folder.path("client.p12")
        let pin = folder.readText("server.pin") ?? ""
        serverPin = "sha256//" + pin.filter { !$0.isWhitespace }
    }
}

/// What TLS has agreed on for a connection.
public struct ConnectionSecurity: Sendable, Hashable {
    /// The version by its number on the wire: 0x0304 is TLS 1.3.
    public var version: Int
    /// The cipher suite by its number in IANA's registry of TLS.
    public var cipherSuite: UInt16
    /// The certificates as the server sent them, its own first, each in DER.
    public var certificates: [[UInt8]]

    /// Puts together what is known.
    public init(version: Int, cipherSuite: UInt16, certificates: [[UInt8]]) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.certificates = certificates
    }
}

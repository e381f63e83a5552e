/// A cipher suite of TLS by its number in
/// [IANA's registry](https://www.iana.org/assignments/tls-parameters/tls-parameters.xhtml);
/// Foundation's `tls_ciphersuite_t`.
public struct TLSCipherSuite: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt16

    /// A suite from its number, which may have no name here.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3.
    public static let AES_128_GCM_SHA256 = TLSCipherSuite(rawValue: 0x1301)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3.
    public static let AES_256_GCM_SHA384 = TLSCipherSuite(rawValue: 0x1302)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3.
    public static let CHACHA20_POLY1305_SHA256 = TLSCipherSuite(rawValue: 0x1303)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 = TLSCipherSuite(rawValue: 0xC02B)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 = TLSCipherSuite(rawValue: 0xC02C)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_RSA_WITH_AES_128_GCM_SHA256 = TLSCipherSuite(rawValue: 0xC02F)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_RSA_WITH_AES_256_GCM_SHA384 = TLSCipherSuite(rawValue: 0xC030)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 = TLSCipherSuite(rawValue: 0xCCA8)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2.
    public static let ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 = TLSCipherSuite(rawValue: 0xCCA9)
}

extension TLSCipherSuite: CustomStringConvertible {
    /// The number as the registry writes it: `0x1302`.
    public var description: String {
        "0x" + String(0x1_0000 + Int(rawValue), radix: 16, uppercase: true).dropFirst()
    }
}

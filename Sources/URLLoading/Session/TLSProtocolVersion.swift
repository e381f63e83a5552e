/// The versions of TLS, by their numbers on the wire; Foundation's `tls_protocol_version_t`.
public enum TLSProtocolVersion: UInt16, Codable, Sendable, Hashable, CaseIterable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.0 (RFC 2246); most servers and OpenSSL's own defaults refuse it.
    case TLSv10 = 0x0301
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.1 (RFC 4346); most servers and OpenSSL's own defaults refuse it.
    case TLSv11 = 0x0302
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.2 (RFC 5246).
    case TLSv12 = 0x0303
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// TLS 1.3 (RFC 8446).
    case TLSv13 = 0x0304
}

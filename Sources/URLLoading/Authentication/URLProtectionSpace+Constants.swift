// Foundation's own global names, with Foundation's own values.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The protocol's default method.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// Basic ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// Digest ([RFC 7616](https://www.rfc-editor.org/rfc/rfc7616)).
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// A form in a page; a session never requests it.
public let NSURLAuthenticationMethodHTMLForm = "NSURLAuthenticationMethodHTMLForm"
/// NTLM.
public let NSURLAuthenticationMethodNTLM = "NSURLAuthenticationMethodNTLM"
/// Negotiate, that is Kerberos or NTLM ([RFC 4559](https://www.rfc-editor.org/rfc/rfc4559)).
public let NSURLAuthenticationMethodNegotiate = "NSURLAuthenticationMethodNegotiate"
/// A client certificate.
public let NSURLAuthenticationMethodClientCertificate =
    "NSURLAuthenticationMethodClientCertificate"
/// Server trust: a delegate may decide whether to trust the server's certificates.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// The protocol of a server without TLS.
public let NSURLProtectionSpaceHTTP = "http"
/// The protocol of a server with TLS.
public let NSURLProtectionSpaceHTTPS = "https"
/// Foundation's; no session loads FTP.
public let NSURLProtectionSpaceFTP = "ftp"

/// A proxy without TLS.
public let NSURLProtectionSpaceHTTPProxy = "http"
/// A proxy over TLS.
public let NSURLProtectionSpaceHTTPSProxy = "https"
/// Foundation's; no session loads FTP.
public let NSURLProtectionSpaceFTPProxy = "ftp"
/// A SOCKS proxy.
public let NSURLProtectionSpaceSOCKSProxy = "SOCKS"

extension Nginx {
    /// A path on the plain server: `http://127.0.0.1:PORT/…`.
    public func url(_ path: String) -> String {
        "http://127.0.0.1:\(httpPort)\(path)"
    }

    /// A path on the HTTP/1.1 TLS server: `https://localhost:PORT/…`.
    public func tlsURL(_ path: String) -> String {
        Self.secure(tlsPort, path)
    }

    /// A path on the HTTP/2 server: `https://localhost:PORT/…`.
    public func http2URL(_ path: String) -> String {
        Self.secure(http2Port, path)
    }

    /// A path on the server that supports TLS 1.2 and nothing newer.
    public func tls12URL(_ path: String) -> String {
        Self.secure(tls12Port, path)
    }

    /// A path on the server whose certificate has expired.
    public func expiredURL(_ path: String) -> String {
        Self.secure(expiredPort, path)
    }

    /// A path on the server whose certificate no authority signed.
    public func selfSignedURL(_ path: String) -> String {
        Self.secure(selfSignedPort, path)
    }

    /// A path on the server whose certificate is for another host.
    public func wrongHostURL(_ path: String) -> String {
        Self.secure(wrongHostPort, path)
    }

    /// A path on the server whose certificate is revoked.
    public func revokedURL(_ path: String) -> String {
        Self.secure(revokedPort, path)
    }

    /// A path on the server that requires a client certificate.
    public func clientCertificateURL(_ path: String) -> String {
        Self.secure(clientCertificatePort, path)
    }

    /// A path on the server that requests a client certificate, but does not require one.
    public func optionalClientCertificateURL(_ path: String) -> String {
        Self.secure(optionalClientCertificatePort, path)
    }

    /// A path on the HTTP/2 server that ends a connection after seven requests.
    public func fewRequestsURL(_ path: String) -> String {
        Self.secure(fewRequestsPort, path)
    }

    private static func secure(_ port: Int, _ path: String) -> String {
        "https://localhost:\(port)\(path)"
    }
}

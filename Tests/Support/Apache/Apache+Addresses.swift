extension Apache {
    /// A path on the plain server: `http://127.0.0.1:PORT/…`.
    public func url(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    /// The same with the host's name, for which `/negotiate/` has a key as well.
    public func nameURL(_ path: String) -> String {
        "http://localhost:\(port)\(path)"
    }

    /// A path on the TLS server: `https://localhost:PORT/…`.
    public func tlsURL(_ path: String) -> String {
        "https://localhost:\(tlsPort)\(path)"
    }

    /// A path on the server that completes the handshake only with clients that have a certificate.
    public func clientCertificateURL(_ path: String) -> String {
        "https://localhost:\(clientCertificatePort)\(path)"
    }

    /// The path of the file that a `PUT` to `…/uploads/NAME` stores; it may not exist.
    public func uploaded(_ name: String) -> String {
        folder.path("root/uploads/\(name)")
    }
}

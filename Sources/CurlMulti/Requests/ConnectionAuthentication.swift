import CCurl

/// A method that authenticates a connection and not a request; libcurl executes it by itself.
///
/// Its handshake takes several exchanges on one connection, so we cannot make it of hops.
public struct ConnectionAuthentication: Sendable, Hashable {
    /// The method, which libcurl tries alone.
    public enum Method: Sendable, Hashable {
        /// NTLM.
        case ntlm
        /// Negotiate: Kerberos, or NTLM within SPNEGO
        /// ([RFC 4559](https://www.rfc-editor.org/rfc/rfc4559)).
        case negotiate
    }

    /// The method.
    public var method: Method
    /// The user; `nil` for Negotiate, since the ticket names the user.
    public var user: String?
    /// The password; `nil` for Negotiate, since the ticket replaces it.
    public var password: String?

    /// Sets the method, the user and the password.
    public init(method: Method, user: String?, password: String?) {
        self.method = method
        self.user = user
        self.password = password
    }
}

extension ConnectionAuthentication: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method; never the user or the password.
    public var description: String {
        switch method {
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        }
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }
}

extension EasyHandle {
    /// Makes libcurl authenticate to the server and to the proxy.
    ///
    /// - Parameters:
    ///   - server: the credentials for the server; `nil`: none.
    ///   - proxy: the credentials for the proxy; `nil`: none.
    /// - Throws: libcurl's error if its build lacks the method.
    func apply(
        server: ConnectionAuthentication?,
        proxy: ConnectionAuthentication?
    ) throws(CurlCode) {
        if let server {
            try set(CURLOPT_HTTPAUTH, server.method.curlValue)
            // With an empty name, libcurl starts a method that finds the name by itself.
            try set(CURLOPT_USERNAME, server.user ?? "")
            try set(CURLOPT_PASSWORD, server.password ?? "")
        }
        // libcurl compares the credentials of a pooled connection only for NTLM.
        try set(CURLOPT_FORBID_REUSE, [server, proxy].contains { $0?.method == .negotiate })
        if let proxy {
            try set(CURLOPT_PROXYAUTH, proxy.method.curlValue)
            try applyProxyUser(proxy.user ?? "", proxy.password ?? "")
        }
    }

    /// Sets the credentials for the proxy.
    ///
    /// libcurl decodes percent-encoding in both. 7.88 decodes again for each later connection of a
    /// transfer, so a `%41` in a password is not safe there.
    func applyProxyUser(_ user: String?, _ password: String?) throws(CurlCode) {
        guard let user else { return }
        try set(CURLOPT_PROXYUSERNAME, user.replacing("%", with: "%25"))
        try set(CURLOPT_PROXYPASSWORD, (password ?? "").replacing("%", with: "%25"))
    }
}

extension ConnectionAuthentication.Method {
    var curlValue: Int {
        switch self {
        case .ntlm: shim_auth_ntlm
        case .negotiate: shim_auth_negotiate
        }
    }
}

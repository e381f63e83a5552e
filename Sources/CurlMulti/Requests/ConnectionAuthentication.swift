import CCurl

/// A method that proves a connection and not a request: libcurl carries it out by itself.
///
/// Its handshake takes several exchanges, all of which must happen on one connection, so it cannot
/// be made of hops.
public struct ConnectionAuthentication: Sendable, Hashable {
    /// The method, which libcurl tries alone.
    public enum Method: Sendable, Hashable {
        /// NTLM.
        case ntlm
        /// Negotiate: Kerberos, or NTLM within SPNEGO
        /// ([RFC 4559](https://www.rfc-editor.org/rfc/rfc4559)).
        case negotiate
    }

    /// How it is proved.
    public var method: Method
    /// The user; `nil` with Negotiate, where the ticket names the user.
    public var user: String?
    /// The password; `nil` with Negotiate: the ticket serves.
    public var password: String?

    /// Names the method and the user.
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

    /// The same.
    public var debugDescription: String { description }
}

extension EasyHandle {
    /// Has libcurl authenticate to the server and to the proxy.
    ///
    /// - Parameters:
    ///   - server: what the server is shown; `nil`: nothing.
    ///   - proxy: what the proxy is shown; `nil`: nothing.
    /// - Throws: libcurl's refusal, where it was built without the method.
    func apply(
        server: ConnectionAuthentication?,
        proxy: ConnectionAuthentication?
    ) throws(CurlCode) {
        if let server {
            try set(CURLOPT_HTTPAUTH, server.method.curlValue)
            // An empty name makes libcurl begin with a method that knows the name by itself.
            try set(CURLOPT_USERNAME, server.user ?? "")
            try set(CURLOPT_PASSWORD, server.password ?? "")
        }
        // libcurl compares the credentials of a pooled connection for NTLM alone.
        try set(CURLOPT_FORBID_REUSE, [server, proxy].contains { $0?.method == .negotiate })
        if let proxy {
            try set(CURLOPT_PROXYAUTH, proxy.method.curlValue)
            try applyProxyUser(proxy.user ?? "", proxy.password ?? "")
        }
    }

    /// Sets the credentials for the proxy.
    ///
    /// libcurl undoes percent-encoding in both. 7.88 does so again for each further connection of a
    /// transfer, so there a `%41` in a password is not safe.
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

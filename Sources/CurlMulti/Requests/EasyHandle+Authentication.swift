import CCurl

extension EasyHandle {
    /// Has libcurl prove to the server, and to the proxy, who we are.
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
        if let proxy {
            try set(CURLOPT_PROXYAUTH, proxy.method.curlValue)
            try set(CURLOPT_PROXYUSERNAME, proxy.user ?? "")
            try set(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
        }
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

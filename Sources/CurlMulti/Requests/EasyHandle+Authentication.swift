import CCurl
import HTTPSemantics

extension EasyHandle {
    /// Makes libcurl authenticate; throws its error if its build lacks the method.
    func apply(
        server: ConnectionAuthentication?,
        proxy: ConnectionAuthentication?
    ) throws(CurlCode) {
        if let server {
            try set(CURLOPT_HTTPAUTH, server.method.curlValue)
            // With an empty name, libcurl starts a method that finds the name by itself.
            try set(CURLOPT_USERNAME, server.user ?? "")
            try set(CURLOPT_PASSWORD, server.password?.text ?? "")
        }
        // libcurl compares the credentials of a pooled connection only for NTLM.
        let negotiates = server?.method == .negotiate || proxy?.method == .negotiate
        try set(CURLOPT_FORBID_REUSE, negotiates)
        if let proxy {
            try set(CURLOPT_PROXYAUTH, proxy.method.curlValue)
            try applyProxyUser(proxy.user ?? "", proxy.password?.text ?? "")
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
    fileprivate var curlValue: Int {
        switch self {
        case .ntlm: shim_auth_ntlm
        case .negotiate: shim_auth_negotiate
        }
    }
}

import URLLoading

/// The methods by which a user and a password are wanted.
enum AuthenticationMethod {
    /// What people call it; `nil` where it is about something else than a user and a password.
    static func name(_ method: String) -> String? {
        switch method {
        case NSURLAuthenticationMethodHTTPBasic: "Basic"
        case NSURLAuthenticationMethodHTTPDigest: "Digest"
        case NSURLAuthenticationMethodNTLM: "NTLM"
        case NSURLAuthenticationMethodNegotiate: "Negotiate"
        default: nil
        }
    }
}

extension URLProtectionSpace {
    /// Whether a password that is sent here is as good as known to a listener, or to who plays the
    /// server: by Basic, and by NTLM, whose hashes are soon guessed.
    var isWithheldInClear: Bool {
        `protocol` == NSURLProtectionSpaceHTTP
            && [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodNTLM]
                .contains(authenticationMethod)
    }

    /// The server or the proxy, as a URL.
    var placeText: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(`protocol` ?? proxyType ?? "http")://\(host):\(port)"
    }

    /// The place and the realm, as they may be printed.
    var shown: String {
        // A realm is the server's text, and can be any.
        let realm = realm.map { ", realm “\(Printable.text(String($0.prefix(80))))”" } ?? ""
        return placeText + realm
    }
}

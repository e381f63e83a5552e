import FoundationEssentials

// The authentication methods of a server, as this library uses them.
extension AuthenticationOffer {
    /// Whether OpenSSL has the hash function that the offer needs.
    var isAvailable: Bool {
        if case .digest(let challenge) = self { challenge.function.isAvailable } else { true }
    }

    /// The constant of ``URLProtectionSpace``; `nil` for a bearer token, since the session asks no delegate
    /// for one.
    var authenticationMethod: String? {
        switch self {
        case .negotiate: NSURLAuthenticationMethodNegotiate
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .bearer: nil
        }
    }

    /// The protection space at a server.
    func protectionSpace(at origin: Origin) -> URLProtectionSpace {
        URLProtectionSpace(
            host: origin.host,
            port: origin.port,
            protocol: origin.scheme,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }
}

extension DigestAuthentication {
    /// Begins to authenticate for a challenge, with digests by OpenSSL.
    init(_ challenge: DigestChallenge, user: String, password: Secret) {
        self.init(challenge, user: user, password: password) { MessageDigest.hex($0, by: $1) }
    }
}

import FoundationEssentials

/// A challenge as it is stored; the credential itself never is.
struct ChallengeRecord: Codable, Hashable, Sendable {
    var host: String
    var port: Int
    /// The scheme, or the proxy's type.
    var scheme: String?
    var realm: String?
    /// Foundation's name of the method, such as `NSURLAuthenticationMethodHTTPBasic`.
    var method: String
    var isProxy: Bool
    /// The number of credentials that were refused.
    var failures: Int
    /// With `NSURLAuthenticationMethodServerTrust`.
    var trust: ServerTrust?
    /// With `NSURLAuthenticationMethodClientCertificate`: the issuers that the server accepts, in DER.
    var issuers: [Data]?
}

extension ChallengeRecord {
    init(_ challenge: URLAuthenticationChallenge) {
        let space = challenge.protectionSpace
        self.init(
            host: space.host,
            port: space.port,
            scheme: space.protocol ?? space.proxyType,
            realm: space.realm,
            method: space.authenticationMethod,
            isProxy: space.isProxy(),
            failures: challenge.previousFailureCount,
            trust: space.serverTrust,
            issuers: space.distinguishedNames
        )
    }

    /// The challenge without its failures, as a key for credentials and decisions.
    var place: ChallengeRecord {
        var place = self
        place.failures = 0
        return place
    }

    var wantsPassword: Bool { Self.wantsPassword(method) }

    /// Whether a method takes a user and a password.
    static func wantsPassword(_ method: String) -> Bool {
        switch method {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodDefault:
            true
        default: false
        }
    }

    var space: URLProtectionSpace {
        isProxy
            ? URLProtectionSpace(
                proxyHost: host,
                port: port,
                type: scheme,
                realm: realm,
                authenticationMethod: method
            )
            : URLProtectionSpace(
                host: host,
                port: port,
                protocol: scheme,
                proxyType: nil,
                realm: realm,
                authenticationMethod: method,
                distinguishedNames: issuers,
                serverTrust: trust
            )
    }
}

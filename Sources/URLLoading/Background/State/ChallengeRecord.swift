import FoundationEssentials

/// A challenge as it is stored; the credential itself never is.
struct ChallengeRecord: Codable, Hashable, Sendable {
    /// The certificates of a server, for a decision whether to trust it.
    struct Trust: Codable, Hashable, Sendable {
        /// A reason why the platform does not trust the server.
        struct Reason: Codable, Hashable, Sendable {
            var code: Int
            var number: Int
            var words: String
            var depth: Int
        }

        var host: String
        /// The certificates, each in DER.
        var chain: [Data]
        var reasons: [Reason]
    }

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
    var trust: Trust?
    /// With `NSURLAuthenticationMethodClientCertificate`: the issuers that the server accepts, in DER.
    var issuers: [Data]?
}

extension ChallengeRecord.Trust {
    init(_ trust: ServerTrust) {
        host = trust.host
        chain = trust.chain
        reasons = trust.reasons.map {
            Reason(code: $0.code.rawValue, number: $0.number, words: $0.words, depth: $0.depth)
        }
    }

    var serverTrust: ServerTrust {
        let reasons = reasons.map { reason in
            ServerTrust.Reason(
                code: URLError.Code(rawValue: reason.code),
                number: reason.number,
                words: reason.words,
                depth: reason.depth
            )
        }
        return ServerTrust(host: host, chain: chain, reasons: reasons)
    }
}

extension ChallengeRecord {
    /// Records a challenge.
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
            trust: space.serverTrust.map { Trust($0) },
            issuers: space.distinguishedNames
        )
    }

    /// The challenge without its failures, as a key for credentials and decisions.
    var place: ChallengeRecord {
        var place = self
        place.failures = 0
        return place
    }

    /// Whether the challenge takes a user and a password.
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

    /// The challenge's protection space.
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
                serverTrust: trust?.serverTrust
            )
    }
}

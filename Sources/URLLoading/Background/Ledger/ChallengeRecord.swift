import FoundationEssentials

/// Who wants a credential, as it is written down; the credential itself never is.
struct ChallengeRecord: Codable, Hashable, Sendable {
    /// What a server has shown that wants to be trusted.
    struct Trust: Codable, Hashable, Sendable {
        /// What the platform has against it.
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
    /// The credentials that were refused.
    var failures: Int
    /// With `NSURLAuthenticationMethodServerTrust`.
    var trust: Trust?
    /// With `NSURLAuthenticationMethodClientCertificate`: the issuers that the server takes, in DER.
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

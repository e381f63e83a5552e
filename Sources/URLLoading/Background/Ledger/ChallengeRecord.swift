/// Who wants a credential, as it is written down; the credential itself never is.
struct ChallengeRecord: Codable, Hashable, Sendable {
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
}

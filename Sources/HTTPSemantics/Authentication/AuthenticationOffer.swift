/// One method that a server or a proxy offers to a client for authentication.
public enum AuthenticationOffer: Sendable, Hashable {
    /// Kerberos, or NTLM within SPNEGO, with the server's message of the handshake.
    case negotiate(token: String?)
    /// NTLM, with the server's message of the handshake.
    case ntlm(token: String?)
    /// A digest of user and password.
    case digest(DigestChallenge)
    /// User and password without protection.
    case basic(realm: String)
    /// A bearer token, with the server's error code for a refused one.
    case bearer(realm: String?, error: String?)

    /// Reads the offer of a challenge; `nil` if we do not support its scheme.
    public init?(_ challenge: HTTPChallenge) {
        switch challenge.scheme {
        case "negotiate": self = .negotiate(token: challenge.token68)
        case "ntlm": self = .ntlm(token: challenge.token68)
        case "digest":
            guard let digest = DigestChallenge(challenge) else { return nil }
            self = .digest(digest)
        case "basic": self = .basic(realm: challenge["realm"] ?? "")
        case "bearer": self = .bearer(realm: challenge["realm"], error: challenge["error"])
        default: return nil
        }
    }

    /// The most offers of a response that we consider: each may need a search for a password.
    private static let limit = 16

    /// The offers in a response, the best first; equal ones in the server's own order.
    ///
    /// - Parameters:
    ///   - fields: the response's header.
    ///   - isProxy: whether the proxy demands authentication (407), and not the server (401).
    /// - Returns: the best offers with a supported scheme, at most 16.
    public static func offers(in fields: HTTPHeaderFields, isProxy: Bool) -> [AuthenticationOffer] {
        let name = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        let values = fields.fields.filter { HTTPHeaderFields.areSame($0.name, name) }.map(\.value)
        let offers = HTTPChallenge.challenges(in: values).compactMap(AuthenticationOffer.init)
        // Swift's sort does not promise to keep equal elements in their order.
        return offers.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .prefix(limit).map(\.element)
    }

    /// The position in the order of preference: the method that reveals least to an eavesdropper is first.
    private var rank: Int {
        switch self {
        case .negotiate: 0
        case .ntlm: 1
        case .digest(let challenge): challenge.function == .md5 ? 3 : 2
        case .basic: 4
        case .bearer: 5
        }
    }

    /// The realm; `nil` if the method has none.
    public var realm: String? {
        switch self {
        case .negotiate, .ntlm: nil
        case .digest(let challenge): challenge.realm
        case .basic(let realm): realm
        case .bearer(let realm, _): realm
        }
    }
}

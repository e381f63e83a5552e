public import FoundationEssentials

/// Digest for one user in one protection space: the credentials for one challenge, request by
/// request ([RFC 7616 §3.4](https://www.rfc-editor.org/rfc/rfc7616#section-3.4)).
///
/// Requests at the same time share it: a nonce is counted once for each.
public struct DigestAuthentication: Sendable {
    /// Hashes bytes: the digest in lower-case hex, or `nil` where the function is refused, as MD5 is
    /// in FIPS mode.
    public typealias Hash = @Sendable (_ bytes: Data, _ function: DigestFunction) -> String?

    /// The challenge that the credentials respond to.
    public private(set) var challenge: DigestChallenge
    private let user: String
    private let password: Secret
    private let hash: Hash
    /// The challenge's, or the one that the server has named for the next request.
    private var nonce: String
    /// How many requests have used the nonce.
    private var count: UInt32 = 0
    /// The key of a `-sess` algorithm, from the first request after a challenge to the next
    /// challenge, and the cnonce that is in it.
    private var session: (key: String, cnonce: String)?

    /// Begins to authenticate for a challenge.
    ///
    /// - Parameters:
    ///   - challenge: the server's, or the proxy's.
    ///   - user: the user's name.
    ///   - password: the user's password.
    ///   - hash: makes the digests.
    public init(
        _ challenge: DigestChallenge,
        user: String,
        password: Secret,
        hash: @escaping Hash
    ) {
        self.challenge = challenge
        self.user = user
        self.password = password
        self.hash = hash
        nonce = challenge.nonce
    }

    /// The response for the next request.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - target: the request's target exactly as it is sent: path and query, or for CONNECT host
    ///     and port.
    ///   - body: used only where the server accepts nothing but `auth-int`.
    ///   - cnonce: the client's own nonce.
    /// - Returns: the field, and the values for checking the server's own proof.
    /// - Throws: `CredentialError`.
    public mutating func credentials(
        method: String,
        target: String,
        body: DigestBody,
        cnonce: String = Self.freshNonce()
    ) throws(CredentialError) -> DigestCredentials {
        guard !HTTPSyntax.hasControls(user), !HTTPSyntax.hasControls(password.text) else {
            throw .controlCharacters
        }
        var cnonce = cnonce
        var key = try digest("\(user):\(challenge.realm):\(password.text)")
        if challenge.isSession {
            if let session {
                (key, cnonce) = session
            } else {
                key = try digest("\(key):\(nonce):\(cnonce)")
                session = (key, cnonce)
            }
        }
        var request = "\(method):\(target)"
        let qop: DigestCredentials.Protection
        if !challenge.hasQOP {
            qop = .none
        } else if challenge.offersAuth {
            qop = .auth
        } else {
            guard let bodyHash = body.hash(by: challenge.function, hash) else {
                throw .bodyUnknown
            }
            qop = .authInt
            request += ":\(bodyHash)"
        }
        count &+= 1
        let draft = DigestCredentials(
            function: challenge.function,
            key: Secret(key),
            nonce: nonce,
            count: count,
            cnonce: cnonce,
            qop: qop,
            target: target,
            hash: hash
        )
        let proof = try draft.proof(over: request)
        return draft.with(field: try field(draft, proof))
    }

    /// Records that the server has accepted a response; the next request uses the nonce that it names.
    ///
    /// - Parameter info: the `Authentication-Info`.
    public mutating func succeeded(with info: HTTPChallenge?) {
        guard let next = info?["nextnonce"], !next.isEmpty, next != nonce else { return }
        nonce = next
        count = 0
    }

    /// Takes a fresh challenge, if a response failed only because its nonce was too old.
    ///
    /// - Parameters:
    ///   - old: the nonce of that response.
    ///   - fresh: the challenge that refused it.
    /// - Returns: whether the same credential may be sent again; `false`: it was refused.
    public mutating func renew(_ old: String, by fresh: DigestChallenge) -> Bool {
        guard fresh.isStale, fresh.realm.hasBytes(of: challenge.realm) else { return false }
        guard old == nonce else { return true }
        challenge = fresh
        nonce = fresh.nonce
        count = 0
        session = nil
        return true
    }

    /// 128 bits from the system's generator, in hex.
    public static func freshNonce() -> String {
        (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexText
    }
}

extension DigestAuthentication {
    private func digest(_ text: String) throws(CredentialError) -> String {
        guard let digest = hash(Data(text.utf8), challenge.function) else {
            throw .functionRefused
        }
        return digest
    }

    private func field(
        _ credentials: DigestCredentials,
        _ proof: String
    ) throws(CredentialError) -> String {
        var parts = [
            try userParameter(),
            "realm=\(HTTPSyntax.quoted(challenge.realm))",
            "nonce=\(HTTPSyntax.quoted(credentials.nonce))",
            "uri=\(HTTPSyntax.quoted(credentials.target))",
        ]
        // These are sent without quotes, so only recognized tokens are.
        if challenge.algorithm != nil {
            parts.append(
                "algorithm=\(challenge.function.rawValue)\(challenge.isSession ? "-sess" : "")"
            )
        }
        parts.append("response=\"\(proof)\"")
        if let opaque = challenge.opaque { parts.append("opaque=\(HTTPSyntax.quoted(opaque))") }
        if credentials.qop != .none {
            parts.append("qop=\(credentials.qop.rawValue)")
            parts.append("nc=\(credentials.countText)")
        }
        if credentials.qop != .none || challenge.isSession {
            parts.append("cnonce=\(HTTPSyntax.quoted(credentials.cnonce))")
        }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func userParameter() throws(CredentialError) -> String {
        if challenge.hashesUser {
            return "username=\"\(try digest("\(user):\(challenge.realm)"))\""
        }
        if challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) {
            return "username*=\(HTTPSyntax.extended(user))"
        }
        return "username=\(HTTPSyntax.quoted(user))"
    }
}

/// The Digest credentials of one request ([RFC 7616
/// §3.4](https://www.rfc-editor.org/rfc/rfc7616#section-3.4)).
public struct DigestCredentials: Sendable {
    /// The quality of protection, `qop`: what the digest covers.
    public enum Protection: String, Sendable {
        /// The request, as RFC 2069 has it.
        case none = ""
        /// The request.
        case auth
        /// The request and its body.
        case authInt = "auth-int"
    }

    /// The hash function.
    public let function: DigestFunction
    /// The digest of user, realm and password.
    public let key: Secret
    /// The server's nonce.
    public let nonce: String
    /// How many requests have used the nonce, this one included.
    public let count: UInt32
    /// The client's nonce.
    public let cnonce: String
    /// What is digested.
    public let qop: Protection
    /// The request's target.
    public let target: String
    let hash: DigestAuthentication.Hash
    /// The value of `Authorization` or `Proxy-Authorization`.
    public private(set) var field = ""

    func with(field: String) -> DigestCredentials {
        var credentials = self
        credentials.field = field
        return credentials
    }

    /// Eight digits.
    var countText: String { UInt32(count).hexText }

    /// The digest over a request.
    public func proof(over text: String) throws(CredentialError) -> String {
        guard let hash = self.hash(Data(text.utf8), function) else { throw .functionRefused }
        let middle =
            qop == .none ? nonce : "\(nonce):\(countText):\(cnonce):\(qop.rawValue)"
        guard let proof = self.hash(Data("\(key.text):\(middle):\(hash)".utf8), function) else {
            throw .functionRefused
        }
        return proof
    }
}

/// A request's body, as far as a digest over it (`qop=auth-int`) is concerned.
public enum DigestBody: Sendable {
    /// There is none.
    case none
    /// In memory.
    case data(Data)
    /// Its digest by the challenge's function, in lower-case hex.
    case hashed(String)
    /// The body is not known before it is sent.
    case unknown

    /// The digest in lower-case hex; `nil` where it cannot be computed.
    public func hash(by function: DigestFunction, _ hash: DigestAuthentication.Hash) -> String? {
        switch self {
        case .none: hash(Data(), function)
        case .data(let data): hash(data, function)
        case .hashed(let hash): hash
        case .unknown: nil
        }
    }
}

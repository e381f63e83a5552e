public import FoundationEssentials

/// Digest for one user in one protection space: it makes the credentials for each request.
///
/// See [RFC 7616 §3.4](https://www.rfc-editor.org/rfc/rfc7616#section-3.4). Simultaneous requests share
/// it, so that it counts each use of a nonce.
public struct DigestAuthentication: Sendable {
    /// Hashes bytes to a digest in lower-case hex; `nil` if the library refuses the function.
    ///
    /// It refuses MD5 in FIPS mode.
    public typealias Hash = @Sendable (_ bytes: Data, _ function: DigestFunction) -> String?

    /// The challenge that the credentials respond to.
    public private(set) var challenge: DigestChallenge
    private let user: String
    private let password: Secret
    private let hash: Hash
    /// The challenge's nonce, or the one that the server has named for the next request.
    private var nonce: String
    /// The number of requests that have used the nonce.
    private var count: UInt32 = 0
    /// The key of a `-sess` algorithm, and the cnonce in it.
    ///
    /// They last from the first request after a challenge to the next challenge.
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

    /// Makes the credentials for the next request.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - target: the request's target exactly as we send it: path and query, or for CONNECT host and
    ///     port.
    ///   - body: used only if the server accepts nothing but `auth-int`.
    ///   - cnonce: the client's own nonce.
    /// - Returns: the field, and the values that check the server's own proof.
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
            guard let bodyHash = body.hash(by: challenge.function, hash) else { throw .bodyUnknown }
            qop = .authInt
            request += ":\(bodyHash)"
        }
        count &+= 1
        var credentials = DigestCredentials(
            function: challenge.function,
            key: Secret(key),
            nonce: nonce,
            count: count,
            cnonce: cnonce,
            qop: qop,
            target: target,
            hash: hash
        )
        let proof = try credentials.proof(over: request)
        credentials.field = try field(credentials, proof)
        return credentials
    }

    /// Notes that the server has accepted a response; the next request uses the nonce that it names.
    ///
    /// - Parameter info: the `Authentication-Info`.
    public mutating func succeeded(with info: HTTPChallenge?) {
        guard let next = info?["nextnonce"], !next.isEmpty, next != nonce else { return }
        nonce = next
        count = 0
    }

    /// Takes a new challenge, if a response failed only because its nonce was too old.
    ///
    /// - Parameters:
    ///   - old: the nonce of that response.
    ///   - fresh: the challenge that refused it.
    /// - Returns: whether we may send the same credential again; `false`: the server refused it.
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
        try challenge.function.digest(text, by: hash)
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
        // We send these without quotes, so we send only recognised tokens.
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
    /// The quality of protection, `qop`: the parts of the request that the digest covers.
    public enum Protection: String, Sendable {
        /// The request, as RFC 2069 defines it.
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
    /// The number of requests that have used the nonce, including this one.
    public let count: UInt32
    /// The client's nonce.
    public let cnonce: String
    /// The parts of the request that the digest covers.
    public let qop: Protection
    /// The request's target.
    public let target: String
    let hash: DigestAuthentication.Hash
    /// The value of `Authorization` or `Proxy-Authorization`.
    public fileprivate(set) var field = ""

    /// The count as eight digits in hex.
    var countText: String { UInt32(count).hexText }

    /// The digest over a request.
    public func proof(over text: String) throws(CredentialError) -> String {
        let middle =
            qop == .none ? nonce : "\(nonce):\(countText):\(cnonce):\(qop.rawValue)"
        let request = try function.digest(text, by: hash)
        return try function.digest("\(key.text):\(middle):\(request)", by: hash)
    }
}

extension DigestFunction {
    fileprivate func digest(
        _ text: String,
        by hash: DigestAuthentication.Hash
    ) throws(CredentialError) -> String {
        guard let digest = hash(Data(text.utf8), self) else { throw .functionRefused }
        return digest
    }
}

/// A request's body, as a digest over it (`qop=auth-int`) needs it.
public enum DigestBody: Sendable {
    /// The request has no body.
    case none
    /// The body is in memory.
    case data(Data)
    /// Its digest by the challenge's function, in lower-case hex.
    case hashed(String)
    /// We do not know the body before we send it.
    case unknown

    /// The digest in lower-case hex; `nil` if we cannot compute it.
    public func hash(by function: DigestFunction, _ hash: DigestAuthentication.Hash) -> String? {
        switch self {
        case .none: hash(Data(), function)
        case .data(let data): hash(data, function)
        case .hashed(let hash): hash
        case .unknown: nil
        }
    }
}

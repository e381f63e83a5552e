/// Digest for one user in one protection space: the answers to one challenge, request by request
/// ([RFC 7616 §3.4](https://www.rfc-editor.org/rfc/rfc7616#section-3.4)).
///
/// Requests at the same time share it: a nonce is counted once for each.
struct DigestAuthentication: Sendable {
    private(set) var challenge: DigestChallenge
    private let user: String
    private let password: Secret
    /// The challenge's, or the one that the server has named for the next request.
    private var nonce: String
    /// How many requests have used the nonce.
    private var count: UInt32 = 0
    /// The key of a `-sess` algorithm, from the first request after a challenge to the next
    /// challenge, and the cnonce that is in it.
    private var session: (key: String, cnonce: String)?

    init(_ challenge: DigestChallenge, user: String, password: Secret) {
        self.challenge = challenge
        self.user = user
        self.password = password
        nonce = challenge.nonce
    }

    /// The answer for the next request.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - target: the request's target exactly as it is sent: path and query, or for CONNECT host
    ///     and port.
    ///   - body: wanted only where the server takes nothing but `auth-int`.
    ///   - cnonce: the client's own nonce.
    /// - Returns: the field, and what it takes to check the server's own proof.
    /// - Throws: `CredentialFlaw`.
    mutating func answer(
        method: String,
        target: String,
        body: DigestBody,
        cnonce: String = Self.freshNonce()
    ) throws(CredentialFlaw) -> DigestAnswer {
        guard !HTTPSyntax.hasControls(user), !HTTPSyntax.hasControls(password.text) else {
            throw .controlCharacters
        }
        var cnonce = cnonce
        var key = try hash("\(user):\(challenge.realm):\(password.text)")
        if challenge.isSession {
            if let session {
                (key, cnonce) = session
            } else {
                key = try hash("\(key):\(nonce):\(cnonce)")
                session = (key, cnonce)
            }
        }
        var request = "\(method):\(target)"
        let qop: DigestAnswer.Protection
        if !challenge.hasQOP {
            qop = .none
        } else if challenge.offersAuth {
            qop = .auth
        } else {
            guard let bodyHash = body.hash(by: challenge.function) else {
                throw .bodyUnknown
            }
            qop = .authInt
            request += ":\(bodyHash)"
        }
        count &+= 1
        let draft = DigestAnswer(
            function: challenge.function,
            key: Secret(key),
            nonce: nonce,
            count: count,
            cnonce: cnonce,
            qop: qop,
            target: target
        )
        let proof = try draft.proof(over: request)
        return draft.with(field: try field(draft, proof))
    }

    /// The server has taken an answer; where it names the next nonce, that is gone on with.
    ///
    /// - Parameter info: the `Authentication-Info`.
    mutating func succeeded(with info: HTTPChallenge?) {
        guard let next = info?["nextnonce"], !next.isEmpty, next != nonce else { return }
        nonce = next
        count = 0
    }

    /// Goes on with a fresh challenge, where an answer failed for its nonce's age alone.
    ///
    /// - Parameters:
    ///   - old: the nonce of that answer.
    ///   - fresh: the challenge that refused it.
    /// - Returns: whether the same credential may be sent again; `false`: it was refused.
    mutating func renew(_ old: String, by fresh: DigestChallenge) -> Bool {
        guard fresh.isStale, fresh.realm.hasBytes(of: challenge.realm) else { return false }
        guard old == nonce else { return true }
        challenge = fresh
        nonce = fresh.nonce
        count = 0
        session = nil
        return true
    }

    /// 128 bits from the system's generator, in hex.
    static func freshNonce() -> String {
        (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexText
    }
}

extension DigestAuthentication {
    private func hash(_ text: String) throws(CredentialFlaw) -> String {
        guard let hash = MessageDigest.hex(text.utf8, by: challenge.function) else {
            throw .functionRefused
        }
        return hash
    }

    private func field(
        _ answer: DigestAnswer,
        _ proof: String
    ) throws(CredentialFlaw) -> String {
        var parts = [
            try userParameter(),
            "realm=\(HTTPSyntax.quoted(challenge.realm))",
            "nonce=\(HTTPSyntax.quoted(answer.nonce))",
            "uri=\(HTTPSyntax.quoted(answer.target))",
        ]
        // These go without quotes, and so only as the tokens that were recognized.
        if challenge.algorithm != nil {
            parts.append(
                "algorithm=\(challenge.function.rawValue)\(challenge.isSession ? "-sess" : "")"
            )
        }
        parts.append("response=\"\(proof)\"")
        if let opaque = challenge.opaque { parts.append("opaque=\(HTTPSyntax.quoted(opaque))") }
        if answer.qop != .none {
            parts.append("qop=\(answer.qop.rawValue)")
            parts.append("nc=\(answer.countText)")
        }
        if answer.qop != .none || challenge.isSession {
            parts.append("cnonce=\(HTTPSyntax.quoted(answer.cnonce))")
        }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func userParameter() throws(CredentialFlaw) -> String {
        if challenge.hashesUser { return "username=\"\(try hash("\(user):\(challenge.realm)"))\"" }
        if challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) {
            return "username*=\(HTTPSyntax.extended(user))"
        }
        return "username=\(HTTPSyntax.quoted(user))"
    }
}

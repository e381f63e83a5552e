/// What one request says for itself by Digest, and how the server's own proof is checked
/// ([RFC 7616 §3.5](https://www.rfc-editor.org/rfc/rfc7616#section-3.5)).
struct DigestAnswer: Sendable {
    /// What is digested, `qop`.
    enum Protection: String, Sendable {
        /// The request, as RFC 2069 has it.
        case none = ""
        /// The request.
        case auth
        /// The request and its body.
        case authInt = "auth-int"
    }

    /// What an `Authentication-Info` proves.
    enum Verdict: Sendable, Hashable {
        /// The server knows the password too.
        case proven
        /// It says nothing that could be checked.
        case unproven
        /// It says something that it could not if it knew the password.
        case disproven
    }

    let function: DigestFunction
    let key: Secret
    let nonce: String
    let count: UInt32
    let cnonce: String
    let qop: Protection
    let target: String
    /// The value of `Authorization` or `Proxy-Authorization`.
    private(set) var field = ""

    func with(field: String) -> DigestAnswer {
        var answer = self
        answer.field = field
        return answer
    }

    /// Eight digits.
    var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The digest over a request, or over an answer where it begins with a colon.
    func proof(over text: String) throws(CredentialFlaw) -> String {
        guard let hash = MessageDigest.hex(text.utf8, by: function) else {
            throw .functionRefused
        }
        let middle =
            qop == .none ? nonce : "\(nonce):\(countText):\(cnonce):\(qop.rawValue)"
        guard let proof = MessageDigest.hex("\(key.text):\(middle):\(hash)".utf8, by: function)
        else { throw .functionRefused }
        return proof
    }

    /// What an `Authentication-Info` is worth.
    ///
    /// - Parameters:
    ///   - info: its parameters.
    ///   - body: the answer's body, which `auth-int` is about.
    /// - Returns: ``Verdict/disproven`` where the answer is not to be believed.
    func verdict(on info: HTTPChallenge, body: DigestBody) -> Verdict {
        guard let claimed = info["rspauth"], !claimed.isEmpty else { return .unproven }
        // What it says about the request must be what the request said (§3.5).
        if let cnonce = info["cnonce"], cnonce != self.cnonce { return .disproven }
        if let count = info["nc"], UInt32(count, radix: 16) != self.count { return .disproven }
        if let qop = info["qop"], qop.lowercased() != self.qop.rawValue { return .disproven }
        var text = ":\(target)"
        if qop == .authInt {
            guard let hash = body.hash(by: function) else { return .unproven }
            text += ":\(hash)"
        }
        guard let proof = try? proof(over: text) else { return .unproven }
        return proof == claimed.lowercased() ? .proven : .disproven
    }
}

/// What one request says for itself by Digest
/// ([RFC 7616 §3.4](https://www.rfc-editor.org/rfc/rfc7616#section-3.4)).
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

    /// The digest over a request.
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
}

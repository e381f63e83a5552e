/// Bearer: a token as it is
/// ([RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
package enum BearerAuthentication {
    /// The value of `Authorization`.
    ///
    /// Throws `emptyToken`, or `notAToken` where it is no `b64token`, and so could not be told from
    /// what follows it.
    package static func field(token: Secret) throws(CredentialFlaw) -> String {
        guard !token.text.isEmpty else { throw .emptyToken }
        let unpadded = token.text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard !unpadded.isEmpty, unpadded.allSatisfy(HTTPSyntax.isToken68Byte) else {
            throw .notAToken
        }
        return "Bearer " + token.text
    }
}

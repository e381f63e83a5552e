import FoundationEssentials

/// Basic: user and password as they are
/// ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
package enum BasicAuthentication {
    /// The value of `Authorization` or `Proxy-Authorization`.
    ///
    /// It is UTF-8, whether the server names the `charset` or not: that is what servers expect by
    /// now, and for ASCII there is no difference.
    ///
    /// Throws `colonInUser`, `controlCharacters`.
    package static func field(user: String, password: Secret) throws(CredentialFlaw) -> String {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !HTTPSyntax.hasControls(user), !HTTPSyntax.hasControls(password.text) else {
            throw .controlCharacters
        }
        return "Basic " + Data("\(user):\(password.text)".utf8).base64EncodedString()
    }
}

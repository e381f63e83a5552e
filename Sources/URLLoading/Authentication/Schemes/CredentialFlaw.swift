/// Why a credential cannot be sent by a method; it never holds the credential.
package enum CredentialFlaw: Error, Sendable, Hashable {
    /// Basic ends the user's name at its first colon.
    case colonInUser
    /// They would end the header, or the request.
    case controlCharacters
    /// A bearer token without a character.
    case emptyToken
    /// A bearer token with characters that none may have.
    case notAToken
    /// The server wants the body's digest (`qop=auth-int`), and the body is not known beforehand.
    case bodyUnknown
    /// The library refuses the hash function, as it does MD5 in FIPS mode.
    case functionRefused
}

extension CredentialFlaw: CustomStringConvertible {
    /// What is wrong, in words.
    package var description: String {
        switch self {
        case .colonInUser: "the user's name has a colon in it, which Basic cannot send"
        case .controlCharacters: "the user or password has control characters in it"
        case .emptyToken: "the bearer token is empty"
        case .notAToken: "the bearer token has characters in it that no token may have"
        case .bodyUnknown: "the server wants a digest of the body before it is known (auth-int)"
        case .functionRefused: "OpenSSL refuses the hash function that the server wants"
        }
    }
}

import FoundationEssentials

/// A text that is never shown, whatever prints it: it describes itself as `(redacted)`.
public struct Secret: Sendable, Hashable {
    /// The text shown in a secret's place.
    public static let placeholder = "(redacted)"

    /// The text itself, for code that sends or stores it.
    public let text: String

    /// Keeps a text.
    public init(_ text: String) {
        self.text = text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// ``placeholder``.
    public var description: String { Self.placeholder }
    /// ``placeholder``.
    public var debugDescription: String { Self.placeholder }
    /// Without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

/// Basic: user and password as they are
/// ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
public enum BasicAuthentication {
    /// The value of `Authorization` or `Proxy-Authorization`.
    ///
    /// It is UTF-8, whether the server names the `charset` or not: servers expect that today, and for ASCII
    /// there is no difference.
    ///
    /// Throws `colonInUser`, `controlCharacters`.
    public static func field(user: String, password: Secret) throws(CredentialError) -> String {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !HTTPSyntax.hasControls(user), !HTTPSyntax.hasControls(password.text) else {
            throw .controlCharacters
        }
        return "Basic " + Data("\(user):\(password.text)".utf8).base64EncodedString()
    }
}

/// Bearer: a token as it is
/// ([RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
public enum BearerAuthentication {
    /// The value of `Authorization`.
    ///
    /// Throws `emptyToken`, or `notAToken` where it is no `b64token`, and so could not be distinguished from
    /// what follows it.
    public static func field(token: Secret) throws(CredentialError) -> String {
        guard !token.text.isEmpty else { throw .emptyToken }
        let unpadded = token.text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard !unpadded.isEmpty, unpadded.allSatisfy(HTTPSyntax.isToken68Byte) else {
            throw .notAToken
        }
        return "Bearer " + token.text
    }
}

/// Why a credential cannot be sent by a method; it never holds the credential.
public enum CredentialError: Error, Sendable, Hashable {
    /// The user's name has a colon, where Basic would end it.
    case colonInUser
    /// The credential has control characters, which could end the header or the request.
    case controlCharacters
    /// The bearer token is empty.
    case emptyToken
    /// The bearer token has characters that RFC 6750 does not allow.
    case notAToken
    /// The server wants the body's digest (`qop=auth-int`), and the body is not known beforehand.
    case bodyUnknown
    /// The library refuses the hash function, as it does MD5 in FIPS mode.
    case functionRefused
}

extension CredentialError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .colonInUser: "the user name contains a colon, which Basic does not allow"
        case .controlCharacters: "the user or password contains control characters"
        case .emptyToken: "the bearer token is empty"
        case .notAToken: "the bearer token contains characters that are not allowed"
        case .bodyUnknown:
            "the server requires a digest of the body before the body is known (auth-int)"
        case .functionRefused: "OpenSSL does not allow the hash function that the server requires"
        }
    }
}

import FoundationEssentials

/// Keeps a text that no output shows: it describes itself as `(redacted)`.
public struct Secret: Sendable, Hashable {
    /// The text that replaces a secret in output.
    public static let placeholder = "(redacted)"

    /// The text itself, for code that sends or stores it.
    public let text: String

    /// Keeps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// Whether both texts have the same bytes.
    public static func == (one: Secret, other: Secret) -> Bool {
        one.text.hasBytes(of: other.text)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text ``placeholder``.
    public var description: String { Self.placeholder }
    /// The text ``placeholder``.
    public var debugDescription: String { Self.placeholder }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

/// The Basic method: it sends user and password without protection ([RFC
/// 7617](https://www.rfc-editor.org/rfc/rfc7617)).
public enum BasicAuthentication {
    /// The value of `Authorization` or `Proxy-Authorization`.
    ///
    /// It is always UTF-8, even if the server names no `charset`: servers expect that today, and for
    /// ASCII there is no difference. Throws `colonInUser`, `controlCharacters`.
    public static func field(user: String, password: Secret) throws(CredentialError) -> String {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !HTTPSyntax.hasControls(user), !HTTPSyntax.hasControls(password.text) else {
            throw .controlCharacters
        }
        return "Basic " + Data("\(user):\(password.text)".utf8).base64EncodedString()
    }
}

/// The Bearer method: it sends a token ([RFC 6750
/// §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
public enum BearerAuthentication {
    /// The value of `Authorization`.
    ///
    /// Throws `emptyToken`; throws `notAToken` if the text is not a `b64token`, since the server could
    /// not distinguish it from the text that follows it.
    public static func field(token: Secret) throws(CredentialError) -> String {
        guard !token.text.isEmpty else { throw .emptyToken }
        let unpadded = token.text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard !unpadded.isEmpty, unpadded.allSatisfy(HTTPSyntax.isToken68Byte) else {
            throw .notAToken
        }
        return "Bearer " + token.text
    }
}

/// The reason why a method cannot send a credential; it never contains the credential.
public enum CredentialError: Error, Sendable, Hashable {
    /// The user's name contains a colon, which would end it in Basic.
    case colonInUser
    /// The credential contains control characters, which could end the header or the request.
    case controlCharacters
    /// The bearer token is empty.
    case emptyToken
    /// The bearer token contains characters that RFC 6750 does not allow.
    case notAToken
    /// The server demands the body's digest (`qop=auth-int`), and we do not know the body beforehand.
    case bodyUnknown
    /// The library refuses the hash function, for example MD5 in FIPS mode.
    case functionRefused
}

extension CredentialError: CustomStringConvertible {
    /// A text for the reason.
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

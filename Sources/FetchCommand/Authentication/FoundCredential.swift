import URLLoading

struct FoundCredential: Equatable, Sendable {
    let user: String
    let password: Secret
    let source: CredentialSource

    /// Whether user and password are equal, whatever the source.
    func isSame(as other: FoundCredential) -> Bool {
        user.hasBytes(of: other.user) && password == other.password
    }
}

extension FoundCredential: CustomStringConvertible {
    /// Neither the password nor the user, because a user name may be a token.
    var description: String { "\(Redaction.placeholder) of \(source.words)" }
}

enum CredentialSource: String, CaseIterable, Sendable {
    /// `--user` and `--password`.
    case user
    case url
    case netrc
    /// The store of `--save-credentials`.
    case storage
    /// The program of `--use-askpass`.
    case askpass
    case terminal

    /// Whether the user typed the password, so that another prompt may correct it.
    var isInteractive: Bool { self == .askpass || self == .terminal }

    /// Whether a credential may be saved; those of .netrc and of the store already are.
    var mayBeSaved: Bool { self != .netrc && self != .storage }

    var words: String {
        switch self {
        case .user: "--user"
        case .url: "the URL"
        case .netrc: ".netrc"
        case .storage: "the key store"
        case .askpass: "--use-askpass"
        case .terminal: "the terminal"
        }
    }
}

/// The disposition of a challenge, with the source of the credential.
struct ChallengeDisposition: Sendable {
    let disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// The credential's source; `nil` unless the command supplied a credential.
    var source: CredentialSource?

    static let byDefault = ChallengeDisposition(disposition: .performDefaultHandling)
    /// Rejects the challenge's protection space, so that the session tries the next method.
    static let reject = ChallengeDisposition(disposition: .rejectProtectionSpace)
    /// Cancels the request, because the task has ended.
    static let cancel = ChallengeDisposition(disposition: .cancelAuthenticationChallenge)

    static func use(_ found: FoundCredential) -> ChallengeDisposition {
        ChallengeDisposition(
            disposition: .useCredential,
            credential: URLCredential(
                user: found.user,
                password: found.password.text,
                persistence: .forSession
            ),
            source: found.source
        )
    }
}

/// The methods that need a user and a password.
enum AuthenticationMethod {
    /// The method's usual name; `nil` if it does not use a user and a password.
    static func name(_ method: String) -> String? {
        switch method {
        case NSURLAuthenticationMethodHTTPBasic: "Basic"
        case NSURLAuthenticationMethodHTTPDigest: "Digest"
        case NSURLAuthenticationMethodNTLM: "NTLM"
        case NSURLAuthenticationMethodNegotiate: "Negotiate"
        default: nil
        }
    }
}

extension URLProtectionSpace {
    /// Whether an eavesdropper or a false server would learn the password: over plain HTTP by
    /// Basic, and by NTLM, whose hashes are quickly guessed.
    var isWithheldInClear: Bool {
        `protocol` == NSURLProtectionSpaceHTTP
            && [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodNTLM]
                .contains(authenticationMethod)
    }

    /// The server or the proxy as a URL.
    var placeText: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(`protocol` ?? proxyType ?? "http")://\(host):\(port)"
    }

    /// The server and the realm, free of control characters.
    var shown: String {
        // The server chooses the realm's text, so its length is limited too.
        let realm = realm.map { ", realm “\(Printable.text(String($0.prefix(80))))”" } ?? ""
        return placeText + realm
    }
}

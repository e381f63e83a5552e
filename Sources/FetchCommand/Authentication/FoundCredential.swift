import URLLoading

/// A user and a password, and where they come from.
struct FoundCredential: Equatable, Sendable {
    let user: String
    let password: Secret
    let source: CredentialSource

    /// Whether user and password are equal, whatever the source.
    func isSame(as other: FoundCredential) -> Bool {
        user == other.user && password == other.password
    }

    /// The credential for the session, which keeps it while it lives.
    var forSession: URLCredential {
        URLCredential(user: user, password: password.text, persistence: .forSession)
    }
}

extension FoundCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret, and not the user either: it may be a token.
    var description: String { "\(Redaction.placeholder) of \(source.words)" }
    var debugDescription: String { description }
}

/// Where a user and a password come from.
enum CredentialSource: String, CaseIterable, Sendable {
    /// `--user` and `--password`.
    case user
    /// The user and password in the URL.
    case url
    case netrc
    /// What `--save-credentials` has kept.
    case storage
    /// The program of `--use-askpass`.
    case askpass
    case terminal

    /// Whether the user has typed it, and may correct it.
    var isPerson: Bool { self == .askpass || self == .terminal }

    /// Whether a credential of this source may be saved.
    ///
    /// Those in .netrc and in the store need not be.
    var mayBeSaved: Bool { self != .netrc && self != .storage }

    /// The source's name in messages.
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

/// The disposition for a challenge, with the credential's source.
struct ChallengeDisposition: Sendable {
    let disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// The credential's source; `nil` without a credential of the command's.
    var source: CredentialSource?

    /// The session's default handling.
    static let byDefault = ChallengeDisposition(disposition: .performDefaultHandling)
    /// Reject this method.
    static let reject = ChallengeDisposition(disposition: .rejectProtectionSpace)
    /// Cancel: the task is over anyway.
    static let cancel = ChallengeDisposition(disposition: .cancelAuthenticationChallenge)

    static func use(_ found: FoundCredential) -> ChallengeDisposition {
        ChallengeDisposition(
            disposition: .useCredential,
            credential: found.forSession,
            source: found.source
        )
    }
}

/// The methods that need a user and a password.
enum AuthenticationMethod {
    /// The method's usual name; `nil` if it needs no user and password.
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
    /// Whether a listener, or a false server, would learn the password: over plain HTTP by Basic,
    /// and by NTLM, whose hashes are quickly guessed.
    var isWithheldInClear: Bool {
        `protocol` == NSURLProtectionSpaceHTTP
            && [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodNTLM]
                .contains(authenticationMethod)
    }

    /// The server or the proxy, as a URL.
    var placeText: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(`protocol` ?? proxyType ?? "http")://\(host):\(port)"
    }

    /// The place and the realm, printable.
    var shown: String {
        // A realm is arbitrary text of the server's.
        let realm = realm.map { ", realm “\(Printable.text(String($0.prefix(80))))”" } ?? ""
        return placeText + realm
    }
}

import URLLoading

/// A user and a password, and where they come from.
struct FoundCredential: Equatable, Sendable {
    let user: String
    let password: Secret
    let source: CredentialSource

    /// Whether both say the same, wherever they come from.
    func isSame(as other: FoundCredential) -> Bool {
        user == other.user && password == other.password
    }

    /// What a session sends, and remembers for as long as it lives.
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

    /// Whether a person has typed it, and may correct it.
    var isPerson: Bool { self == .askpass || self == .terminal }

    /// Whether what comes of it may be kept: what is kept elsewhere need not be.
    var mayBeSaved: Bool { self != .netrc && self != .storage }

    /// What a person calls it.
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

/// What the command says to a challenge, and why.
struct ChallengeDisposition: Sendable {
    let disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// Where the credential comes from; `nil` where there is none of ours.
    var source: CredentialSource?

    /// What the session would do by itself.
    static let byDefault = ChallengeDisposition(disposition: .performDefaultHandling)
    /// Not by this method.
    static let reject = ChallengeDisposition(disposition: .rejectProtectionSpace)
    /// The task is over anyway.
    static let cancel = ChallengeDisposition(disposition: .cancelAuthenticationChallenge)

    static func use(_ found: FoundCredential) -> ChallengeDisposition {
        ChallengeDisposition(
            disposition: .useCredential,
            credential: found.forSession,
            source: found.source
        )
    }
}

/// The methods by which a user and a password are wanted.
enum AuthenticationMethod {
    /// What people call it; `nil` where it is about something else than a user and a password.
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
    /// Whether a password that is sent here is as good as known to a listener, or to a false
    /// server: by Basic, and by NTLM, whose hashes are soon guessed.
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

    /// The place and the realm, as they may be printed.
    var shown: String {
        // A realm is the server's text, and can be any.
        let realm = realm.map { ", realm “\(Printable.text(String($0.prefix(80))))”" } ?? ""
        return placeText + realm
    }
}

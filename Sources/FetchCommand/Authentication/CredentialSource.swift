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

    /// Whether a person gives the answer, who may err and think again.
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

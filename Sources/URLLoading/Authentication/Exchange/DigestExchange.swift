import FoundationEssentials
import Synchronization

/// One user's Digest in one protection space, which the tasks of a session share: whoever sends a
/// request counts the nonce on.
final class DigestExchange: Sendable {
    private let state: Mutex<DigestAuthentication>

    init(_ authentication: DigestAuthentication) {
        state = Mutex(authentication)
    }

    /// The field for a request.
    ///
    /// Throws where the user, the password or the body cannot be put into one.
    func field(
        method: String,
        target: String,
        body: DigestBody
    ) throws(CredentialFlaw) -> String {
        try state.withLock { state throws(CredentialFlaw) in
            try state.answer(method: method, target: target, body: body).field
        }
    }

    /// The server was content; it may have named its next nonce.
    func succeeded(with info: HTTPChallenge?) {
        state.withLock { $0.succeeded(with: info) }
    }

    /// Whether a challenge says no more than that the nonce was old, and a new one is there.
    func renew(by fresh: DigestChallenge) -> Bool {
        state.withLock { $0.renew(by: fresh) }
    }

    /// Whether a URL is one that the challenge of another was about.
    func covers(_ url: URL, challenged: URL) -> Bool {
        state.withLock { $0.challenge.covers(url, challenged: challenged) }
    }
}

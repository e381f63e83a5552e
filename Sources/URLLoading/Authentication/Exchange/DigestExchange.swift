import FoundationEssentials
import Synchronization

/// One user's Digest in one protection space, which the tasks of a session share: whoever sends a
/// request counts the nonce on.
final class DigestExchange: Sendable {
    private let state: Mutex<DigestAuthentication>

    init(_ authentication: DigestAuthentication) {
        state = Mutex(authentication)
    }

    /// What a request says.
    ///
    /// Throws where the user, the password or the body cannot be put into one.
    func answer(
        method: String,
        target: String,
        body: DigestBody
    ) throws(CredentialFlaw) -> DigestAnswer {
        try state.withLock { state throws(CredentialFlaw) in
            try state.answer(method: method, target: target, body: body)
        }
    }

    /// The server was content; it may have named its next nonce.
    func succeeded(with info: HTTPChallenge?) {
        state.withLock { $0.succeeded(with: info) }
    }

    /// Whether a challenge says no more than that a nonce was old, and there is a newer one: this
    /// challenge's, or the one that another task was given meanwhile.
    func renew(_ nonce: String, by fresh: DigestChallenge) -> Bool {
        state.withLock { $0.renew(nonce, by: fresh) }
    }

    /// Whether a URL is one that the challenge of another was about.
    func covers(_ url: URL, challenged: URL) -> Bool {
        state.withLock { $0.challenge.covers(url, challenged: challenged) }
    }
}

import Synchronization
import TestSupport

@testable import URLLoading

/// Replies to challenges with the test's decisions in order, and records the challenges.
final class ChallengeDelegate: URLSessionTaskDelegate {
    /// A disposition, and a credential for it.
    typealias Decision = (URLSession.AuthChallengeDisposition, URLCredential?)

    private let decisions: Mutex<[Decision]>
    private let seen = Mutex<[URLAuthenticationChallenge]>([])

    /// Makes a delegate; after the last decision it performs the default handling.
    init(_ decisions: [Decision] = []) {
        self.decisions = Mutex(decisions)
    }

    /// Makes a delegate with one credential for all challenges.
    convenience init(_ user: TestUser, persistence: URLCredential.Persistence = .none) {
        let credential = URLCredential(
            user: user.name,
            password: user.password,
            persistence: persistence
        )
        self.init(Array(repeating: (.useCredential, credential), count: 3))
    }

    /// The challenges so far.
    var challenges: [URLAuthenticationChallenge] { seen.withLock { $0 } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { decide(challenge, completionHandler) }

    /// Decides on a challenge to this delegate or to another one.
    func decide(
        _ challenge: URLAuthenticationChallenge,
        _ completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        seen.withLock { $0.append(challenge) }
        let decision = decisions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        completionHandler(decision?.0 ?? .performDefaultHandling, decision?.1)
    }
}

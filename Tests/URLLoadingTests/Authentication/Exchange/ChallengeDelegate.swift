import Synchronization
import TestSupport

@testable import URLLoading

/// Answers challenges as it was told, one after the other, and remembers them.
final class ChallengeDelegate: URLSessionTaskDelegate {
    /// A disposition, and a credential for it.
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    private let answers: Mutex<[Answer]>
    private let seen = Mutex<[URLAuthenticationChallenge]>([])

    /// - Parameter answers: after the last one, the default is done.
    init(_ answers: [Answer] = []) {
        self.answers = Mutex(answers)
    }

    /// Has one credential for all.
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
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        answer(challenge, completionHandler)
    }

    /// Answers for the delegate that was asked.
    func answer(
        _ challenge: URLAuthenticationChallenge,
        _ completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        seen.withLock { $0.append(challenge) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        completionHandler(answer?.0 ?? .performDefaultHandling, answer?.1)
    }
}

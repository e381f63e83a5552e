import Synchronization
import TestSupport

@testable import URLLoading

/// A session's delegate that answers challenges about connections as the test says.
final class TrustingDelegate: URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private struct State {
        var challenges: [URLAuthenticationChallenge] = []
        var bodies = 0
    }

    private let state = Mutex(State())
    private let answer: @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void

    /// Answers when it likes.
    init(_ answer: @escaping @Sendable (URLAuthenticationChallenge, @escaping Answer) -> Void) {
        self.answer = answer
    }

    /// Answers questions of server trust, each in the same way; all others by default.
    convenience init(
        trust:
            @escaping @Sendable (ServerTrust) -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            )
    ) {
        self.init { challenge, answer in
            guard let shown = challenge.protectionSpace.serverTrust else {
                return answer(.performDefaultHandling, nil)
            }
            let (disposition, credential) = trust(shown)
            answer(disposition, credential)
        }
    }

    /// Trusts every server, and shows those that want it a certificate.
    convenience init(identity: URLCredential?) {
        self.init { challenge, answer in
            let space = challenge.protectionSpace
            if let trust = space.serverTrust {
                answer(.useCredential, URLCredential(trust: trust))
            } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                answer(identity == nil ? .performDefaultHandling : .useCredential, identity)
            } else {
                answer(.performDefaultHandling, nil)
            }
        }
    }

    var challenges: [URLAuthenticationChallenge] { state.withLock { $0.challenges } }
    /// What was asked, in order.
    var methods: [String] { challenges.map(\.protectionSpace.authenticationMethod) }
    /// How often a body was asked for.
    var bodies: Int { state.withLock { $0.bodies } }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Answer
    ) {
        state.withLock { $0.challenges.append(challenge) }
        answer(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        state.withLock { $0.bodies += 1 }
        completionHandler(nil)
    }
}

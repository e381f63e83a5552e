import Synchronization
import TestSupport

@testable import URLLoading

/// A session's delegate that decides on challenges about connections as the test says.
final class TrustingDelegate: URLSessionTaskDelegate {
    typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private struct State {
        var challenges: [URLAuthenticationChallenge] = []
        var bodies = 0
    }

    private let state = Mutex(State())
    private let decide: @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void

    /// Decides when it likes.
    init(_ decide: @escaping @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void) {
        self.decide = decide
    }

    /// Decides on server trust, each in the same way; all others by default.
    convenience init(
        trust:
            @escaping @Sendable (ServerTrust) -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            )
    ) {
        self.init { challenge, complete in
            guard let shown = challenge.protectionSpace.serverTrust else {
                return complete(.performDefaultHandling, nil)
            }
            let (disposition, credential) = trust(shown)
            complete(disposition, credential)
        }
    }

    /// Trusts every server, and shows those that want it a certificate.
    convenience init(identity: URLCredential?) {
        self.init { challenge, complete in
            let space = challenge.protectionSpace
            if let trust = space.serverTrust {
                complete(.useCredential, URLCredential(trust: trust))
            } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                complete(identity == nil ? .performDefaultHandling : .useCredential, identity)
            } else {
                complete(.performDefaultHandling, nil)
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
        completionHandler: @escaping Completion
    ) {
        state.withLock { $0.challenges.append(challenge) }
        decide(challenge, completionHandler)
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

import Synchronization
import TestSupport

@testable import URLLoading

/// A session's delegate that replies to connection challenges as the test decides.
final class TrustingDelegate: URLSessionTaskDelegate {
    typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private struct State {
        var challenges: [URLAuthenticationChallenge] = []
        var bodies = 0
    }

    private let state = Mutex(State())
    private let decide: @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void

    /// Makes a delegate that may reply later.
    init(_ decide: @escaping @Sendable (URLAuthenticationChallenge, @escaping Completion) -> Void) {
        self.decide = decide
    }

    /// Makes a delegate that decides on server trust, and handles all other challenges by default.
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

    /// Makes a delegate that trusts every server, and shows a certificate on request.
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
    /// The methods of the challenges, in order.
    var methods: [String] { challenges.map(\.protectionSpace.authenticationMethod) }
    /// The number of requests for a body.
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

import URLLoading

/// A delegate that trusts every server.
final class TrustAllDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let trust = challenge.protectionSpace.serverTrust
        completionHandler(.useCredential, trust.map { URLCredential(trust: $0) })
    }
}

/// Who has asked who one is, as Foundation's `URLAuthenticationChallengeSender`: a ``URLProtocol``
/// that wants to hear the answer.
///
/// Exactly one of these is called for a challenge, unless the load ends or it is taken back.
public protocol URLAuthenticationChallengeSender: AnyObject, Sendable {
    /// This credential is to be used.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)

    /// It is to be tried without any.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)

    /// The load is to be given up.
    func cancel(_ challenge: URLAuthenticationChallenge)

    /// Nobody has an opinion.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)

    /// Nothing is known for this space; the next may be tried.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

extension URLAuthenticationChallengeSender {
    /// Goes on as if there were no credential.
    public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }

    /// Goes on as if there were no credential.
    public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }
}

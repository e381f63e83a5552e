import URLLoading

/// What the command says to a challenge, and why.
struct ChallengeAnswer: Sendable {
    let disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// Where the credential comes from; `nil` where there is none of ours.
    var source: CredentialSource?

    /// What the session would do by itself.
    static let byDefault = ChallengeAnswer(disposition: .performDefaultHandling)
    /// Not by this method.
    static let reject = ChallengeAnswer(disposition: .rejectProtectionSpace)
    /// The task is over anyway.
    static let cancel = ChallengeAnswer(disposition: .cancelAuthenticationChallenge)

    static func use(_ found: FoundCredential) -> ChallengeAnswer {
        ChallengeAnswer(
            disposition: .useCredential,
            credential: found.forSession,
            source: found.source
        )
    }
}

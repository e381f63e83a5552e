import FoundationEssentials

/// What a delegate is asked: who one is, by one of the methods that were offered.
struct AuthenticationQuestion: Sendable {
    let space: URLProtectionSpace
    /// The offer that it is about.
    let offer: AuthenticationOffer
    /// Whether the delegate is asked only where no Kerberos ticket is shown.
    let wantsTicket: Bool
    /// Those that are left where this one is rejected.
    let others: ArraySlice<AuthenticationOffer>
    /// The answer that asked.
    let response: HTTPURLResponse
    /// The credentials that were refused for this space.
    let failures: Int
    /// The one that was refused last.
    let refused: URLCredential?
    /// Those that were refused by any method, and in any space of the same server.
    let allRefused: [URLCredential]

    /// Whether the same user and password were refused already.
    func hasRefused(_ credential: URLCredential) -> Bool {
        allRefused.contains { $0.user == credential.user && $0.password == credential.password }
    }

    /// The challenge that a delegate gets.
    func challenge(proposing credential: URLCredential?) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: refused ?? credential,
            previousFailureCount: failures,
            failureResponse: response,
            error: nil
        )
    }
}

/// What comes of a question.
enum AuthenticationAnswer: Sendable {
    /// Go on with this credential.
    case use(URLCredential)
    /// Go on with the Kerberos ticket at hand.
    case useTicket
    /// Not by this method; the next one that was offered.
    case passOver
    /// The answer that asked is the result.
    case stand
    /// The task ends.
    case cancel
}

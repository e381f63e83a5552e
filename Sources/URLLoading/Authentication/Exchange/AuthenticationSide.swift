import FoundationEssentials
import Synchronization

/// The challenges of a server or a proxy to a task, and their results.
struct AuthenticationSide: Sendable {
    /// The next step after a response.
    enum Step {
        /// Deliver the response as the result.
        case deliver
        /// Send the request again, with a token that the task has found without a question.
        case again
        case ask(AuthenticationQuestion)
    }

    /// The most refusals of one task: a delegate that returns ever new credentials, or a server with
    /// ever new realms, could loop.
    private static let maximumRefusals = 20
    /// The most consecutive refusals because of a stale nonce.
    private static let maximumStaleNonces = 3

    /// The token that requests carry now.
    private(set) var token: AuthenticationToken?
    /// Whether the task has sent a request with the token, so that the next response judges the token.
    private var isTokenShown = false
    private var refusals = 0
    private var staleNonces = 0
    /// The nonce of the last digest sent.
    private var nonce: String?
    private var failures: [URLProtectionSpace: Int] = [:]
    private var refused: [URLProtectionSpace: URLCredential] = [:]
    private var rejected: Set<URLProtectionSpace> = []
    /// Whether the task has sent a Kerberos ticket, or must not send one.
    private var hasTriedTicket = false

    /// Sets the token that a server has accepted with another request, for the next request.
    mutating func show(_ remembered: AuthenticationToken?) {
        if token == nil { token = remembered }
        isTokenShown = token != nil
    }

    /// Handles a response that accepts the credential, and returns the accepted token.
    mutating func accepted(_ info: @autoclosure () -> HTTPChallenge?) -> AuthenticationToken? {
        guard isTokenShown, let token else { return nil }
        staleNonces = 0
        if case .digest(let exchange) = token.proof {
            let info = info()
            exchange.state.withLock { $0.succeeded(with: info) }
        }
        return token
    }

    /// Handles a challenge with offers, the best one first; returns the next step, and the refused token.
    mutating func challenged(
        _ offers: [AuthenticationOffer],
        _ response: HTTPURLResponse,
        mayUseTicket: Bool,
        space: (AuthenticationOffer) -> URLProtectionSpace
    ) -> (Step, refused: AuthenticationToken?) {
        if !mayUseTicket { hasTriedTicket = true }
        var lost: AuthenticationToken?
        if isTokenShown, let token {
            refusals += 1
            if isStale(token, offers) { return (.again, nil) }
            // A challenge for another space says nothing about the token of this one.
            if offers.contains(where: { space($0) == token.space }) {
                lost = token
                // A remembered token, or a token without a credential, does not count as a failure.
                if !token.isRemembered, token.credential != nil {
                    failures[token.space, default: 0] += 1
                }
            }
            // A server may change its realm with each response; it must not get the same password again.
            if !token.isRemembered { refused[token.space] = token.credential }
        }
        token = nil
        isTokenShown = false
        return (next(offers[...], response, space: space), lost)
    }

    /// Whether only the nonce of a digest is stale, and the challenge has a fresh nonce.
    private mutating func isStale(
        _ token: AuthenticationToken,
        _ offers: [AuthenticationOffer]
    ) -> Bool {
        guard case .digest(let exchange) = token.proof, let nonce,
            staleNonces < Self.maximumStaleNonces
        else { return false }
        let isRenewed = offers.contains { offer in
            guard case .digest(let fresh) = offer else { return false }
            return exchange.state.withLock { $0.renew(nonce, by: fresh) }
        }
        if isRenewed { staleNonces += 1 }
        return isRenewed
    }

    /// Rejects the offer of a question, because the delegate gave no credential, and continues with the
    /// next.
    mutating func reject(
        _ question: AuthenticationQuestion,
        space: (AuthenticationOffer) -> URLProtectionSpace
    ) -> Step {
        rejected.insert(question.space)
        return next(question.others, question.response, space: space)
    }

    /// Sets the delegate's credential, or else the user's ticket; `false`: the method cannot use it.
    mutating func use(_ credential: URLCredential?, for question: AuthenticationQuestion) -> Bool {
        let proof: AuthenticationProof? =
            if let credential {
                question.offer.proof(by: credential)
            } else {
                .connection(.init(method: .negotiate, user: nil, password: nil))
            }
        guard let proof else { return false }
        token = AuthenticationToken(
            space: question.space,
            proof: proof,
            credential: credential,
            url: question.response.url
        )
        return true
    }

    private mutating func next(
        _ offers: ArraySlice<AuthenticationOffer>,
        _ response: HTTPURLResponse,
        space: (AuthenticationOffer) -> URLProtectionSpace
    ) -> Step {
        for (index, offer) in zip(offers.indices, offers) where offer.authenticationMethod != nil {
            let place = space(offer)
            guard !rejected.contains(place), refusals < Self.maximumRefusals else { continue }
            var wantsTicket = false
            if case .negotiate = offer {
                wantsTicket = !hasTriedTicket
                hasTriedTicket = true
            }
            return .ask(
                AuthenticationQuestion(
                    space: place,
                    offer: offer,
                    wantsTicket: wantsTicket,
                    others: offers[(index + 1)...],
                    response: response,
                    failures: failures[place] ?? 0,
                    refused: refused[place],
                    allRefused: Array(refused.values)
                )
            )
        }
        return .deliver
    }
}

extension AuthenticationSide {
    /// The header field of the next request; `nil`: none.
    mutating func headerField(method: String, target: String, body: DigestBody) -> String? {
        guard let token else { return nil }
        switch token.proof {
        case .field(let field): return field
        case .connection: return nil
        case .digest(let exchange):
            let made = exchange.state.withLock { state in
                try? state.credentials(method: method, target: target, body: body)
            }
            if let credentials = made {
                nonce = credentials.nonce
                return credentials.field
            }
            // The task cannot read the body in advance, so it cannot use a method with a digest over the
            // body.
            rejected.insert(token.space)
            self.token = nil
            isTokenShown = false
            return nil
        }
    }
}

/// A question to a delegate: a credential for one of the offered methods.
struct AuthenticationQuestion: Sendable {
    let space: URLProtectionSpace
    let offer: AuthenticationOffer
    /// Whether the task tries a Kerberos ticket before it asks the delegate.
    let wantsTicket: Bool
    /// The remaining offers, in case this one is rejected.
    let others: ArraySlice<AuthenticationOffer>
    /// The response with the challenge.
    let response: HTTPURLResponse
    /// The number of refused credentials for this space.
    let failures: Int
    /// The last refused credential for this space.
    let refused: URLCredential?
    /// The refused credentials of all methods and spaces of the same server.
    let allRefused: [URLCredential]

    /// Whether the server has already refused the same user and password.
    func hasRefused(_ credential: URLCredential) -> Bool {
        allRefused.contains { $0.kind == credential.kind }
    }

    /// The challenge for a delegate.
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

/// The decision about a question.
enum AuthenticationDisposition: Sendable {
    /// Continue with this credential.
    case use(URLCredential)
    /// Continue with the user's Kerberos ticket.
    case useTicket
    /// Skip this method, and try the next one offered.
    case reject
    /// Deliver the response with the challenge as the result.
    case deliver
    case cancel
}

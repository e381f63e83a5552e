import FoundationEssentials

/// The challenges of a server or a proxy to a task, and their results.
struct AuthenticationSide: Sendable {
    /// What is to be done about a response.
    enum Step {
        /// Nothing: it is the result.
        case deliver
        /// The request goes out again, with what was found without asking.
        case again
        case ask(AuthenticationQuestion)
    }

    /// The refusals that there may be in all: a delegate that has more to say, or a server whose realm
    /// is another each time, is going round in circles.
    private static let mostRefusals = 20
    /// The nonces that may be too old, one after the other.
    private static let maximumStaleNonces = 3

    /// What the requests carry now.
    private(set) var token: AuthenticationToken?
    /// Whether a request with it has gone out, so that a response says something about it.
    private var isTokenShown = false
    private var refusals = 0
    private var staleNonces = 0
    /// The nonce of the digest that went out last.
    private var nonce: String?
    private var failures: [URLProtectionSpace: Int] = [:]
    private var refused: [URLProtectionSpace: URLCredential] = [:]
    private var rejected: Set<URLProtectionSpace> = []
    /// Whether a ticket has been shown, or it was settled that none is.
    private var hasTriedTicket = false

    /// Takes what another request was let in with.
    mutating func show(_ remembered: AuthenticationToken?) {
        if token == nil { token = remembered }
        isTokenShown = token != nil
    }

    /// Forgets all: the next request goes to another server, or through another proxy.
    mutating func leave() {
        self = AuthenticationSide()
    }

    /// The request was let in.
    ///
    /// - Parameter info: what the response says of it.
    /// - Returns: the token that did it, unless there was none.
    mutating func accepted(_ info: @autoclosure () -> HTTPChallenge?) -> AuthenticationToken? {
        guard isTokenShown, let token else { return nil }
        staleNonces = 0
        if case .digest(let exchange) = token.proof { exchange.succeeded(with: info()) }
        return token
    }

    /// The request was not let in.
    ///
    /// - Parameters:
    ///   - offers: the methods to be let in by, the best one first.
    ///   - response: the response.
    ///   - mayUseTicket: whether the Kerberos ticket at hand may be shown.
    ///   - space: the protection space of an offer.
    /// - Returns: what is to be done, and the token that was refused.
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
            // Another space that asks says nothing about what is good in this one.
            if offers.contains(where: { space($0) == token.space }) {
                lost = token
                // What was once accepted, or found without asking, counts as no one's failure.
                if !token.isRemembered, token.credential != nil {
                    failures[token.space, default: 0] += 1
                }
            }
            if !token.isRemembered { refused[token.space] = token.credential }
        }
        token = nil
        isTokenShown = false
        return (next(offers[...], response, space: space), lost)
    }

    /// Whether all that is wrong with a digest is the age of its nonce, and there is a fresh one.
    private mutating func isStale(
        _ token: AuthenticationToken,
        _ offers: [AuthenticationOffer]
    ) -> Bool {
        guard case .digest(let exchange) = token.proof, let nonce,
            staleNonces < Self.maximumStaleNonces
        else { return false }
        let isRenewed = offers.contains { offer in
            guard case .digest(let fresh) = offer else { return false }
            return exchange.renew(nonce, by: fresh)
        }
        if isRenewed { staleNonces += 1 }
        return isRenewed
    }

    /// The delegate gave no credential for a question: decides what the next offer is good for.
    mutating func reject(
        _ question: AuthenticationQuestion,
        space: (AuthenticationOffer) -> URLProtectionSpace
    ) -> Step {
        rejected.insert(question.space)
        return next(question.others, question.response, space: space)
    }

    /// The delegate gave a credential for a question.
    ///
    /// - Returns: whether it is one that the method can do something with.
    mutating func use(_ credential: URLCredential, for question: AuthenticationQuestion) -> Bool {
        guard let proof = question.offer.proof(by: credential) else { return false }
        token = AuthenticationToken(
            space: question.space,
            proof: proof,
            credential: credential,
            url: question.response.url
        )
        return true
    }

    /// The Kerberos ticket at hand is used for a question.
    mutating func useTicket(for question: AuthenticationQuestion) {
        token = AuthenticationToken(
            space: question.space,
            proof: .connection(ConnectionProof(method: .negotiate, user: nil, password: nil)),
            credential: nil,
            url: question.response.url
        )
    }

    private mutating func next(
        _ offers: ArraySlice<AuthenticationOffer>,
        _ response: HTTPURLResponse,
        space: (AuthenticationOffer) -> URLProtectionSpace
    ) -> Step {
        for (index, offer) in zip(offers.indices, offers) where offer.authenticationMethod != nil {
            let place = space(offer)
            guard !rejected.contains(place), refusals < Self.mostRefusals else { continue }
            var wantsTicket = false
            if case .negotiate = offer, !hasTriedTicket {
                hasTriedTicket = true
                wantsTicket = true
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
    /// The field that the next request carries; `nil` where there is none.
    mutating func prove(method: String, target: String, body: DigestBody) -> String? {
        guard let token else { return nil }
        switch token.proof {
        case .field(let field): return field
        case .connection: return nil
        case .digest(let exchange):
            if let credentials = try? exchange.credentials(
                method: method,
                target: target,
                body: body
            ) {
                nonce = credentials.nonce
                return credentials.field
            }
            // A digest over a body that cannot be read beforehand: not by this method.
            rejected.insert(token.space)
            self.token = nil
            isTokenShown = false
            return nil
        }
    }
}

/// What a delegate is asked: a credential for one of the methods that were offered.
struct AuthenticationQuestion: Sendable {
    let space: URLProtectionSpace
    /// The offer that it is about.
    let offer: AuthenticationOffer
    /// Whether the delegate is asked only where no Kerberos ticket is shown.
    let wantsTicket: Bool
    /// Those that are left where this one is rejected.
    let others: ArraySlice<AuthenticationOffer>
    /// The response that asked.
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
enum AuthenticationDisposition: Sendable {
    /// Go on with this credential.
    case use(URLCredential)
    /// Go on with the Kerberos ticket at hand.
    case useTicket
    /// Not by this method; the next one that was offered.
    case reject
    /// The response that asked is the result.
    case deliver
    /// The task ends.
    case cancel
}

import Dispatch
import FoundationEssentials

// Selects the credentials that a hop sends, and the delegate that the task asks for them.
extension URLSessionTask {
    /// A request with its credentials.
    func authenticated(
        _ request: URLRequest,
        _ body: TaskBody,
        through proxy: ProxyServer?,
        _ locked: inout Locked
    ) throws(URLError) -> (PreparedRequest, TaskAuthentication.Proofs) {
        var prepared = try PreparedRequest(
            request,
            session.defaultFields,
            keepsDotSegments: session.settings.transport.keepsDotSegments
        )
        if locked.lifecycle.isExpectationRefused { prepared.remove("Expect") }
        guard let url = request.url else { throw URLError(.badURL, detail: "no URL") }
        let proofs = locked.lifecycle.authentication.addProofs(
            prepared,
            url,
            hasBody: body.isSome || !prepared.isSafe,
            body: body.digestBody,
            through: proxy
        )
        prepared.replace(by: proofs.fields)
        // libcurl writes these fields itself, and would also send the caller's fields, which the server has
        // refused.
        if proofs.server?.connectionLevel != nil { prepared.remove("Authorization") }
        if proofs.proxy?.connectionLevel != nil { prepared.remove("Proxy-Authorization") }
        return (prepared, proofs)
    }

    /// Bytes; the task sends a shorter body at once, because waiting takes longer than sending it again.
    ///
    /// The same as curl's limit for a POST.
    private static let maximumBodyWithoutChallenge: Int64 = 1 << 20

    /// Whether to ask with `Expect: 100-continue` before a long body: the server or proxy is likely to
    /// refuse the request, or the caller has set the field.
    ///
    /// `request` is the caller's, `prepared` has the form that the hop sends, with the credentials in `proofs`.
    func expectsRefusal(
        _ request: URLRequest,
        _ prepared: PreparedRequest,
        _ body: (any HTTPBodyStream)?,
        through proxy: ProxyServer?,
        _ proofs: TaskAuthentication.Proofs,
        _ locked: borrowing Locked
    ) -> Bool {
        if locked.lifecycle.isExpectationRefused { return false }
        if request.headerFields["Expect"] != nil { return true }
        guard let body, body.contentLength.map({ $0 > Self.maximumBodyWithoutChallenge }) ?? true
        else { return false }
        // For a tunnel the proxy sends its challenge before the body, in the response to CONNECT.
        if let proxy, proxy.scheme.isHTTP, !prepared.isSecure, proxy.ownCredential != nil,
            proofs.proxy == nil, !prepared.has("Proxy-Authorization")
        {
            return true
        }
        return proofs.server == nil && request.headerFields["Authorization"] == nil
            && (request.url?.ownCredential != nil || session.settings.transport.expectsChallenges)
    }

    /// Uses a Kerberos ticket if the policy allows that for the server; otherwise finds the default
    /// credential and asks the delegate.
    func askChallenge(_ question: AuthenticationQuestion, _ id: HopID?, _ now: borrowing Locked) {
        guard question.wantsTicket else { return propose(question, id, now) }
        let tickets = TicketPolicy(use: session.settings.transport.ticketUse)
        // The policy reads files, so it runs on a queue: the loop and the task's lock must not wait.
        session.reading.async { [self] in
            let isShown = tickets.shows(to: question.space)
            apply { locked in
                // A task that the caller has cancelled meanwhile asks no question.
                guard locked.lifecycle.isAsking(question, id) else { return [] }
                if isShown { return locked.lifecycle.resolveChallenge(id, question, .useTicket) }
                propose(question, id, locked)
                return []
            }
        }
    }

    /// Finds the default credential, and asks the delegate.
    private func propose(_ question: AuthenticationQuestion, _ id: HopID?, _ now: borrowing Locked)
    {
        let inURL = configured(for: question.space, now)
        guard inURL == nil, now.lifecycle.authentication.maySendCredentials(in: question.space),
            let storage = session.settings.credentialStorage
        else { return ask(question, id, proposing: inURL, now) }
        // The key store may be slow, so we use its queue: the loop and other tasks must not wait.
        storage.queue.async { [self] in
            let stored = storage.defaultCredential(for: question.space)
            locked.withLock { locked in
                // A task that the caller has cancelled meanwhile asks no question.
                guard locked.lifecycle.isAsking(question, id) else { return }
                ask(question, id, proposing: stored, locked)
            }
        }
    }

    /// The user and password in the request's URL, or in the proxy's settings.
    private func configured(
        for space: URLProtectionSpace,
        _ locked: borrowing Locked
    ) -> URLCredential? {
        let request = locked.lifecycle.currentRequest
        guard space.isProxy() else { return request.url?.ownCredential }
        return (try? session.proxies.server(for: request))?.ownCredential
    }

    private func ask(
        _ question: AuthenticationQuestion,
        _ id: HopID?,
        proposing credential: URLCredential?,
        _ locked: borrowing Locked
    ) {
        let credential = credential.flatMap { question.hasRefused($0) ? nil : $0 }
        ask(question.challenge(proposing: credential), locked) { [self] disposition, own in
            let result = AuthenticationDisposition(disposition, own, proposed: credential)
            apply { $0.lifecycle.resolveChallenge(id, question, result) }
        }
    }

    /// Stores an accepted credential, as its persistence says; one of the URL or of the proxy's settings stays
    /// there.
    func keep(_ token: AuthenticationToken, _ locked: borrowing Locked) {
        guard !token.isRemembered, let credential = token.credential,
            credential.persistence != .none, let storage = session.settings.credentialStorage
        else { return }
        let own =
            token.space.isProxy() ? configured(for: token.space, locked) : token.url?.ownCredential
        guard credential != own else { return }
        storage.queue.async {
            // The session does not store a credential from this storage again.
            guard storage.defaultCredential(for: token.space) != credential else { return }
            storage.setDefaultCredential(credential, for: token.space)
        }
    }
}

extension AuthenticationDisposition {
    /// Converts the delegate's reply; `proposed` is the default credential, which the server has not refused.
    fileprivate init(
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?,
        proposed: URLCredential?
    ) {
        switch disposition {
        case .useCredential: self = credential.map(AuthenticationDisposition.use) ?? .deliver
        case .performDefaultHandling: self = proposed.map(AuthenticationDisposition.use) ?? .reject
        case .rejectProtectionSpace: self = .reject
        case .cancelAuthenticationChallenge: self = .cancel
        }
    }
}

extension TaskBody {
    /// The body, as digest authentication needs it.
    fileprivate var digestBody: DigestBody {
        switch self {
        case .none: .none
        case .data(let data): .data(data)
        case .file, .stream: .unknown
        }
    }
}

extension URL {
    /// The user and password in the URL.
    fileprivate var ownCredential: URLCredential? {
        guard let user = user(percentEncoded: false), !user.isEmpty else { return nil }
        return URLCredential(
            user: user,
            password: password(percentEncoded: false) ?? "",
            persistence: .forSession
        )
    }
}

extension ProxyServer {
    /// The user and password of the proxy, from its URL or its settings.
    fileprivate var ownCredential: URLCredential? {
        guard let user, !user.isEmpty else { return nil }
        return URLCredential(user: user, password: password?.text ?? "", persistence: .forSession)
    }
}

// Asking a delegate about a challenge.
extension URLSessionTask {
    /// Takes a delegate's disposition of a challenge.
    typealias ChallengeCompletion =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Asks the delegates about a challenge, on the delegate queue.
    ///
    /// A challenge about the connection goes to the session's delegate, or to the task's delegate if
    /// the session's does not implement the method. Any other challenge goes to the task's delegate
    /// only. Without a delegate the default handling applies. The thread of the delegate's reply calls the
    /// completion, once.
    func ask(
        _ challenge: URLAuthenticationChallenge,
        _ locked: borrowing Locked,
        completion: @escaping ChallengeCompletion
    ) {
        let own = effectiveDelegate(locked)
        let once = ChallengeReply(
            or: (.performDefaultHandling, nil),
            releasedOn: session.queue
        ) { completion($0.0, $0.1) }
        session.queue.async { [self] in
            guard challenge.protectionSpace.isConnectionLevel, let delegate = session.delegate
            else { return ask(own, challenge, once) }
            delegate.urlSession(session, didReceive: challenge) { disposition, credential in
                guard challenge.wasUnhandled() else { return once.give((disposition, credential)) }
                self.ask(own, challenge, once)
            }
        }
    }

    private typealias ChallengeReply = DelegateReply<
        (URLSession.AuthChallengeDisposition, URLCredential?)
    >

    private func ask(
        _ delegate: (any URLSessionTaskDelegate)?,
        _ challenge: URLAuthenticationChallenge,
        _ reply: ChallengeReply
    ) {
        guard let delegate else { return reply.give((.performDefaultHandling, nil)) }
        delegate.urlSession(session, task: self, didReceive: challenge) { disposition, credential in
            reply.give((disposition, credential))
        }
    }
}
